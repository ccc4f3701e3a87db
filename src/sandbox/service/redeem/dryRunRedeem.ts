import { and, count, eq } from 'drizzle-orm'
import { concat, type Hex, pad, type TransactionReceipt, toFunctionSelector } from 'viem'
import { least } from '../../../redeemkit/core/amount/least.ts'
import { ChainReadError } from '../../../redeemkit/evm/client/chainReadError.ts'
import { callContract, hasCode } from '../../../redeemkit/evm/client/readChain.ts'
import type { CreditPermit } from '../../../redeemkit/evm/creditPermit/creditPermit.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { decodeRevert, revertDataOf } from '../../contracts/revert.ts'
import type { gasPrice } from '../../relayer/gasPrice.ts'
import { receiptOf } from '../../relayer/receiptOf.ts'
import { agreeableCode } from '../../simulation/call/agreeableCode.ts'
import { redeemCall } from '../../simulation/call/redeemCall.ts'
import type { RedeemRequest } from '../../simulation/call/redeemRequest.ts'
import { isFor } from '../../store/isFor.ts'
import { transactions } from '../../store/tables/index.ts'
import { problem, ServiceProblem } from '../http/problem.ts'
import type { Service } from '../service.ts'
import type { WalletDeployment } from './checkSignatures.ts'
import { refuseLeftBehind } from './checkUnderway.ts'
import { gasFeeOf } from './gasFee.ts'
import { type CustomerNonce, rememberGas, type StoredRedeem } from './lookUpRedeem.ts'
import type { HashedIntent } from './resolveIntent.ts'
import {
  exceedsAuthorized,
  explainFailure,
  insufficientCredits,
  simulationProblem,
} from './simulationProblem.ts'

/**
 * Refuses a customer whom USDC has blocked. Credits are paid out of the contract's own USDC, so the token would not stop one.
 *
 * @throws ServiceProblem `CUSTOMER_BLOCKED`
 */
export async function refuseBlocked(chain: EvmChain, wallet: Hex): Promise<void> {
  if (await says(chain, concat([isBlacklisted, pad(wallet)])))
    throw problem(
      'CUSTOMER_BLOCKED',
      `USDC has blocked ${wallet} on ${chain.blockchain}. This service sends nothing for a blocked wallet. Nothing was paid.`,
    )
}

/**
 * Refuses before anything is signed while USDC is paused: every redeem would fail.
 *
 * @throws ServiceProblem `UNAVAILABLE`
 */
export async function refusePaused(chain: EvmChain): Promise<void> {
  if (await isUsdcPaused(chain)) throw usdcPaused(chain)
}

const isUsdcPaused = (chain: EvmChain): Promise<boolean> => says(chain, paused)

function usdcPaused({ blockchain }: EvmChain): ServiceProblem {
  return problem(
    'UNAVAILABLE',
    `USDC is paused on ${blockchain} by its issuer. Nothing was sent and nothing was paid. Try again when it is resumed.`,
    { details: { reason: 'USDC_PAUSED', blockchain } },
  )
}

const isBlacklisted = toFunctionSelector('isBlacklisted(address)')
const paused = toFunctionSelector('paused()')

/** What the chain's USDC answers; no, where there is no such token or it has no such function. */
async function says({ client, usdc }: EvmChain, data: Hex): Promise<boolean> {
  if (usdc === undefined) return false
  const answer = await callContract(client, { to: usdc, data })
  return answer?.length === 66 && BigInt(answer) !== 0n
}

/**
 * Waits until the journal says so of a redeem on its way that the chain has reverted a moment ago: the same may be sent again.
 *
 * @returns whether there was one to wait for
 */
export async function awaitRevert(service: Service, chain: EvmChain, sent: StoredRedeem): Promise<boolean> {
  if (sent.status !== 'sending') return false
  let receipt: TransactionReceipt | undefined
  try {
    receipt = await receiptOf(chain, sent.hash)
  } catch (error) {
    // A node that is away says nothing new.
    service.onError?.(error)
  }
  if (receipt?.status !== 'reverted') return false
  const database = await service.database()
  const [row] = await database
    .select({ id: transactions.id })
    .from(transactions)
    .where(and(eq(transactions.chainId, chain.chainId), eq(transactions.hash, sent.hash)))
  if (row === undefined) return false
  await service.relayer.wait(row)
  return true
}

/** More than any wallet needs; keeps a factory call from eating the relayer's coins. */
const maxDeploymentGas = 5_000_000n

/**
 * Deploys a customer's wallet through an allow-listed factory, and resolves when its code is there (ERC-6492).
 *
 * @throws ServiceProblem `INVALID_PERMIT` when the factory does not make this wallet
 */
export async function deployWallet(
  service: Service,
  options: { chain: EvmChain; wallet: Hex; deployment: WalletDeployment },
): Promise<void> {
  const { chain, wallet, deployment } = options
  const request = { to: deployment.factory, data: deployment.data }
  let gas: bigint
  try {
    gas = await chain.client.estimateGas({
      account: chain.operator.address,
      ...request,
      gas: maxDeploymentGas,
    })
  } catch (error) {
    const data = revertDataOf(error)
    if (data === undefined) throw error
    throw problem(
      'INVALID_PERMIT',
      `The wallet's factory refuses to deploy it: ${decodeRevert(data).reason.slice(0, 200)}.`,
    )
  }
  const database = await service.database()
  const { blockchain } = chain
  const [tries] = await database
    .select({ value: count() })
    .from(transactions)
    .where(isFor({ kind: 'deploy', blockchain, wallet }))
  const row = await service.relayer.send({
    chainId: chain.chainId,
    account: chain.operator,
    reference: { kind: 'deploy', blockchain, wallet, attempt: (tries?.value ?? 0) + 1 },
    request: { ...request, gas: (gas * 5n) / 4n },
  })
  await service.relayer.wait(row)
  if (!(await hasCode(chain.client, wallet)))
    throw problem('INVALID_PERMIT', 'The factory call in the signature does not deploy this wallet.')
}

/**
 * Finds out what a redeem takes, whether it can be paid for, and whether it goes through: by one run in the node, with the
 * highest fee that permit and credits leave room for. What goes through with that goes through with less.
 *
 * @returns the request with its gas fee, as it is to be sent
 * @throws ServiceProblem `EXCEEDS_AUTHORIZED`, `INSUFFICIENT_CREDITS`, and what the simulation says (PROTOCOL.md 7.2)
 */
export async function rehearseRedeem(
  service: Service,
  options: rehearseRedeem.Options,
): Promise<rehearseRedeem.ReturnType> {
  const { redeem, permit, fromCredits, credits, price } = options
  const { chain } = redeem
  const customerPays = service.settings.gasFeePayer === 'customer'
  const room = least(credits, permit.amount) - fromCredits
  const gas = options.gas ?? (await runExplained(service, options, customerPays ? room : 0n))
  const gasFee = customerPays ? await gasFeeOf(chain, gas, price) : 0n
  const charged = fromCredits + gasFee
  if (charged > permit.amount) {
    await rememberGas(service, redeem, gas)
    throw exceedsAuthorized(charged, permit.amount)
  }
  if (credits < charged) throw insufficientCredits()
  return { request: options.request(gasFee), gas, gasFee, charged }
}

export declare namespace rehearseRedeem {
  type Options = {
    redeem: CustomerNonce & { intent: HashedIntent }
    permit: CreditPermit
    /** What the contract is given, with this gas fee. */
    request: (gasFee: bigint) => RedeemRequest
    /** What the credits pay of the amount, without the fee; no more than the permit allows, and the wallet has. */
    fromCredits: bigint
    /** What the wallet has. */
    credits: bigint
    price: gasPrice.ReturnType
    /** Of a run that went through already, with no lower fee. */
    gas?: bigint | undefined
    /** With a contract that agrees to every signature in the wallet's place, while the wallet is not there yet. */
    asWallet?: boolean | undefined
  }
  type ReturnType = {
    request: RedeemRequest
    gas: bigint
    gasFee: bigint
    /** Of the credits, the fee included. */
    charged: bigint
  }
}

/** Runs it; one that would fail is run once more to say where and why. */
async function runExplained(
  service: Service,
  { redeem, request: requestWith, asWallet }: rehearseRedeem.Options,
  gasFee: bigint,
): Promise<bigint> {
  const { chain, wallet } = redeem
  const request = requestWith(gasFee)
  const stateOverride = asWallet ? [{ address: wallet, code: agreeableCode }] : undefined
  try {
    return await runRedeem(service, chain, { request, stateOverride })
  } catch (refusal) {
    if (!(refusal instanceof ServiceProblem)) throw refusal
    if (refusal.code === 'SIMULATION_FAILED' && (await isUsdcPaused(chain))) throw usdcPaused(chain)
    throw await explainFailure(service, chain, { refusal, request, asWallet })
  }
}

/**
 * Has the node run a redeem without sending it. One that would leave a token behind is refused.
 *
 * @returns the gas that it needs
 * @throws ServiceProblem as {@link simulationProblem} makes it; ChainReadError when it is the node that failed
 */
export async function runRedeem(
  service: Pick<Service, 'onError'>,
  chain: EvmChain,
  options: {
    request: RedeemRequest
    stateOverride?: { address: Hex; code: Hex }[] | undefined
  },
): Promise<bigint> {
  const { request, stateOverride } = options
  // Asked at the same time: it tells of a redeem that goes through.
  const refusal = refuseLeftBehind(service, chain, options)
  refusal.catch(() => {})
  try {
    const call = { account: chain.operator.address, ...redeemCall(chain, request) }
    const gas = await chain.client.estimateGas({ ...call, stateOverride })
    await refusal
    return gas
  } catch (error) {
    if (error instanceof ServiceProblem) throw error
    throw simulationProblem(error) ?? new ChainReadError('The node did not run the redeem.', { cause: error })
  }
}
