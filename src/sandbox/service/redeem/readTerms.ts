import type { Hex } from 'viem'
import { attempt } from '../../../redeemkit/core/attempt.ts'
import { hasCode } from '../../../redeemkit/evm/client.ts'
import type { CreditPermit } from '../../../redeemkit/evm/creditPermit/creditPermit.ts'
import { orderKeyOf } from '../../../redeemkit/evm/creditPermit/orderKey.ts'
import { type OrderState, orderState } from '../../../redeemkit/evm/creditPermit/orderState.ts'
import { isTempoChain } from '../../../redeemkit/evm/networks.ts'
import { classifySignature, normalizeSignature } from '../../../redeemkit/evm/signature/normalizeSignature.ts'
import type { SendGaslessTxBody } from '../../../redeemkit/schema/sendGaslessTxBody.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { grouped } from '../../concurrency.ts'
import { askRedeemProbe, type ProbeAnswer, type ProbeQuestion } from '../../contracts/askRedeemProbe.ts'
import { readCredits } from '../../contracts/creditsReads.ts'
import { gasPrice } from '../../relayer/relayerChain.ts'
import { type RedeemRequest, redeemCall, redeemRequest } from '../../simulation/redeemRequest.ts'
import { hasTimedOut } from '../http/problem.ts'
import type { Service } from '../service.ts'
import { ifSupported } from './checkUnderway.ts'
import { isBlocked, runRedeem } from './dryRunRedeem.ts'
import type { CustomerNonce } from './lookUpRedeem.ts'
import type { HashedIntent } from './resolveIntent.ts'

export type Terms = {
  permit: CreditPermit
  order: OrderOnChain
  price: gasPrice.ReturnType
  walletHasCode: boolean
  isBlocked: boolean
  /** In raw units. */
  credits: bigint
  /** Undefined if a simulation is not possible yet. */
  trial: Trial | undefined
}

/** The state of the order, and the attempt that used it. Contracts with random nonces have no orders: the state is `unused`. */
export type OrderOnChain = Pick<OrderState, 'state' | 'commitment'>

export const unusedOrder: OrderOnChain = { state: 'unused', commitment: `0x${'00'.repeat(20)}` }

/** Result of a simulation in which the contract itself verified the signature. */
type Trial = { signature: Hex } & ({ gas: bigint } | { error: unknown })

/**
 * Reads the chain's state in one call, which includes a simulation if the signature may be a key's and no USDC is collected. Concurrent
 * requests share the call.
 */
export async function readTerms(service: Service, options: readTerms.Options): Promise<Terms> {
  const { redeem, body, creditSeed } = options
  const { chain, wallet, nonce } = redeem
  const permit: CreditPermit = {
    customerWallet: wallet,
    creditSeed,
    amount: BigInt(body.creditsRawAmount),
    validBefore: BigInt(body.validBefore),
    nonce,
  }
  const attempt = attemptOf(service, { ...options, permit })
  // Token redeems only: other types make calls that may require more gas than they use, which only the node's estimate finds.
  const inProbe = attempt !== undefined && redeem.intent.shape === 'token' ? attempt : undefined
  const orderKey = orderKeyOf(nonce)
  const asked = { wallet, orderKey, creditSeed, attempt: inProbe && redeemCall(chain, inProbe.request) }
  const isProbed = service.kind === 'intentBound' && !isTempoChain(chain.chainId)
  const tryAlone = () => attempt && tryRedeem(service, chain, attempt)
  const [probed, early] = await Promise.all([
    isProbed ? probe(service, chain, asked) : undefined,
    inProbe === undefined ? tryAlone() : undefined,
  ])
  const { answer, price } = probed ?? {}
  if (answer === undefined || price === undefined) {
    const [apart, trial] = await Promise.all([readApart(service, options), early ?? tryAlone()])
    return { permit, ...apart, trial }
  }
  const { gas, ...read } = answer
  // The combined call itself may have caused a failure, so a separate simulation decides and explains.
  const trial =
    inProbe !== undefined && gas !== undefined
      ? { signature: inProbe.signature, gas }
      : (early ?? (await tryAlone()))
  return { permit, ...read, price, trial }
}

export declare namespace readTerms {
  type Options = {
    redeem: CustomerNonce & { intent: HashedIntent }
    body: Pick<SendGaslessTxBody, 'signedMessages' | 'creditsRawAmount' | 'validBefore'>
    salt: Hex
    creditSeed: string
  }
}

type Probed = { answer: ProbeAnswer | undefined; price: gasPrice.ReturnType | undefined }

/** Runs the redeem probe. Concurrent queries share one call. `answer` is undefined if the node does not support state overrides. */
function probe(service: Service, chain: EvmChain, question: ProbeQuestion): Promise<Probed> {
  const ask =
    probes.get(chain) ??
    grouped<ProbeQuestion, Probed>(
      async (some) => {
        const [price, answers] = await Promise.all([gasPrice(chain), answersOf(service, chain, some)])
        return some.map((_, index) => ({ price, answer: answers?.[index] }))
      },
      { most: mostInProbe },
    )
  probes.set(chain, ask)
  return ask(question)
}

const probes = new WeakMap<EvmChain, (question: ProbeQuestion) => Promise<Probed>>()

/** Runs several queries in one call. */
const answersOf = ifSupported<readonly ProbeQuestion[], ProbeAnswer[]>(
  'The node did not run the redeem probe, so each redeem is read separately.',
  askRedeemProbe,
)

/** Maximum number of queries in a call, to stay below nodes' gas limits. */
const mostInProbe = 16

async function readApart(
  service: Service,
  { redeem, creditSeed }: readTerms.Options,
): Promise<Omit<Terms, 'permit' | 'trial'>> {
  const { chain, wallet, nonce } = redeem
  const { client, creditsContract } = chain
  const [price, walletHasCode, blocked, credits, order] = await Promise.all([
    gasPrice(chain),
    hasCode(client, wallet),
    isBlocked(chain, wallet),
    readCredits(chain, { creditSeed, wallet }),
    service.kind === 'randomNonce'
      ? unusedOrder
      : orderState(client, { creditsContract, wallet, orderKey: orderKeyOf(nonce) }),
  ])
  return { price, walletHasCode, isBlocked: blocked, credits, order }
}

type Attempt = { signature: Hex; request: RedeemRequest }

/** Uses the highest fee that the permit allows: a redeem that succeeds with it also succeeds with a lower fee. */
function attemptOf(
  service: Service,
  { redeem, body, salt, permit }: readTerms.Options & { permit: CreditPermit },
): Attempt | undefined {
  const { intent } = redeem
  const signature = keySignature(body.signedMessages.permitCredits)
  const room = permit.amount - intent.amount
  if (signature === undefined || intent.usdcAmount > 0n || room < 0n) return undefined
  const gasFee = service.settings.gasFeePayer === 'merchant' ? 0n : room
  return { signature, request: redeemRequest({ permit, signature, salt, intent, gasFee }) }
}

async function tryRedeem(service: Service, chain: EvmChain, { signature, request }: Attempt): Promise<Trial> {
  try {
    return { signature, gas: await runRedeem(service, chain, { request }) }
  } catch (error) {
    if (hasTimedOut(error)) throw error
    return { signature, error }
  }
}

/** Returns the signature if it can be an ECDSA signature in canonical form, which can be submitted unchanged. */
function keySignature(signature: Hex): Hex | undefined {
  if (classifySignature(signature) !== 'packed') return undefined
  return attempt(() => normalizeSignature(signature, { hasCode: false })) === signature
    ? signature
    : undefined
}
