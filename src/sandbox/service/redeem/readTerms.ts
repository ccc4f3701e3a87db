import type { Hex } from 'viem'
import { ChainReadError } from '../../../redeemkit/evm/client/chainReadError.ts'
import { hasCode } from '../../../redeemkit/evm/client/readChain.ts'
import type { CreditPermit } from '../../../redeemkit/evm/creditPermit/creditPermit.ts'
import { orderKeyOf } from '../../../redeemkit/evm/creditPermit/orderKey.ts'
import { type OrderState, orderState } from '../../../redeemkit/evm/creditPermit/orderState.ts'
import { isTempoChain } from '../../../redeemkit/evm/isTempoChain.ts'
import { normalizeSignature } from '../../../redeemkit/evm/signature/normalizeSignature.ts'
import type { SendGaslessTxBody } from '../../../redeemkit/schema/sendGaslessTxBody.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { askRedeemProbe, type ProbeAnswer, type ProbeQuestion } from '../../contracts/askRedeemProbe.ts'
import { readCredits } from '../../contracts/creditsReads.ts'
import { grouped } from '../../process/grouped.ts'
import { gasPrice } from '../../relayer/gasPrice.ts'
import { type RedeemRequest, redeemCall, redeemRequest } from '../../simulation/redeemRequest.ts'
import type { Service } from '../service.ts'
import type { CustomerNonce } from './redeemRows.ts'
import { runRedeem } from './rehearseRedeem.ts'
import type { HashedIntent } from './resolveIntent.ts'

/** What the chain says on a redeem, asked all at once. */
export type Terms = {
  permit: CreditPermit
  order: OrderOnChain
  price: gasPrice.ReturnType
  walletHasCode: boolean
  /** What the wallet has, raw units. */
  credits: bigint
  /** The redeem run as it stands, when it can be tried before more is known. */
  trial: Trial | undefined
}

/** State of an order, and which attempt used it. Contracts of random nonces keep none: `unused`. */
export type OrderOnChain = Pick<OrderState, 'state' | 'commitment'>

export const unusedOrder: OrderOnChain = { state: 'unused', commitment: `0x${'00'.repeat(20)}` }

/** The contract itself has looked at the signature. */
type Trial = { signature: Hex } & ({ gas: bigint } | { error: unknown })

/**
 * Asks the chain for all that a redeem depends on, in one turn: price, nonce, code, credits, and, where the signature may be a
 * key's and no USDC is collected, whether the redeem goes through.
 *
 * Those that are asked about while an answer is under way are asked about together.
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
  // A call that the redeem makes can ask for more gas than it uses; the node finds out how much.
  const inProbe = attempt !== undefined && redeem.intent.shape === 'token' ? attempt : undefined
  const orderKey = orderKeyOf(nonce)
  const asked = { wallet, orderKey, creditSeed, attempt: inProbe && redeemCall(chain, inProbe.request) }
  const isProbed = service.kind === 'bound' && !isTempoChain(chain.chainId)
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
  // What did not go through there may do so by itself; if not, this says why.
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

/** Without an answer where the node does not run calls with code in another's place. */
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

/** A node that refuses is told of once, and left alone for a while: each question is asked apart then. */
async function answersOf(
  service: Service,
  chain: EvmChain,
  questions: readonly ProbeQuestion[],
): Promise<ProbeAnswer[] | undefined> {
  if (performance.now() < (leftAloneUntil.get(chain) ?? 0)) return undefined
  try {
    return await askRedeemProbe(chain, questions)
  } catch (cause) {
    leftAloneUntil.set(chain, performance.now() + leaveAloneMs)
    service.onError?.(
      new ChainReadError('The node did not run the probe of redeems: they are asked about one by one.', {
        cause,
      }),
    )
    return undefined
  }
}

const leftAloneUntil = new WeakMap<EvmChain, number>()
const leaveAloneMs = 10_000

/** Together they stay below what nodes let a call use. */
const mostInProbe = 16

/** Each by a question of its own. */
async function readApart(
  service: Service,
  { redeem, creditSeed }: readTerms.Options,
): Promise<Omit<Terms, 'permit' | 'trial'>> {
  const { chain, wallet, nonce } = redeem
  const { client, creditsContract } = chain
  const [price, walletHasCode, credits, order] = await Promise.all([
    gasPrice(chain),
    hasCode(client, wallet),
    readCredits(chain, { creditSeed, wallet }),
    service.kind === 'unbound'
      ? unusedOrder
      : orderState(client, { creditsContract, wallet, orderKey: orderKeyOf(nonce) }),
  ])
  return { price, walletHasCode, credits, order }
}

type Attempt = { signature: Hex; request: RedeemRequest }

/** With the highest fee that the permit leaves room for: what goes through with that goes through with less. */
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
    return { signature, error }
  }
}

/** A signature that is what the contract is given, whoever the wallet is: a key's, in its canonical form. */
function keySignature(signature: Hex): Hex | undefined {
  if (signature.length !== 132) return undefined
  try {
    return normalizeSignature(signature, { hasCode: false }) === signature ? signature : undefined
  } catch {
    return undefined
  }
}
