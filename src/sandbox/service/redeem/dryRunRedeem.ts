import { and, count, eq } from 'drizzle-orm'
import { concat, type Hex, pad, type TransactionReceipt, toFunctionSelector } from 'viem'
import { least } from '../../../redeemkit/core/amount.ts'
import { ChainReadError, callContract, hasCode } from '../../../redeemkit/evm/client.ts'
import type { CreditPermit } from '../../../redeemkit/evm/creditPermit/creditPermit.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { decodeRevert, revertDataOf } from '../../contracts/revert.ts'
import { type gasPrice, receiptOf, withHeadroom } from '../../relayer/relayerChain.ts'
import { agreeableCode, type RedeemRequest, redeemCall } from '../../simulation/redeemRequest.ts'
import { isFor, transactions } from '../../store/tables/index.ts'
import { hasTimedOut, problem, ServiceProblem } from '../http/problem.ts'
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

export const isBlocked = (chain: EvmChain, wallet: Hex): Promise<boolean> =>
  readFlag(chain, concat([isBlacklisted, pad(wallet)]))

export async function refuseBlocked(chain: EvmChain, wallet: Hex): Promise<void> {
  if (await isBlocked(chain, wallet)) throw customerBlocked(chain, wallet)
}

/**
 * Creates the error for a wallet that USDC has blocked. Only the service can reject it: the contract pays with its own USDC, to which the
 * wallet's block does not apply.
 */
export function customerBlocked({ blockchain }: EvmChain, wallet: Hex): ServiceProblem {
  return problem(
    'CUSTOMER_BLOCKED',
    `USDC has blocked ${wallet} on ${blockchain}. This service sends nothing for a blocked wallet. Nothing was paid.`,
  )
}

/** Rejects redeems while USDC is paused, before the customer signs, because every redeem would fail. */
export async function refusePaused(chain: EvmChain): Promise<void> {
  if (await isUsdcPaused(chain)) throw usdcPaused(chain)
}

const isUsdcPaused = (chain: EvmChain): Promise<boolean> => readFlag(chain, paused)

function usdcPaused({ blockchain }: EvmChain): ServiceProblem {
  return problem(
    'UNAVAILABLE',
    `USDC is paused on ${blockchain} by its issuer. Nothing was sent and nothing was paid. Try again once it is unpaused.`,
    { details: { reason: 'USDC_PAUSED', blockchain } },
  )
}

const isBlacklisted = toFunctionSelector('isBlacklisted(address)')
const paused = toFunctionSelector('paused()')

/** Reads a boolean from the chain's USDC; false if the chain has no USDC or USDC lacks the function. */
async function readFlag({ client, usdc }: EvmChain, data: Hex): Promise<boolean> {
  if (usdc === undefined) return false
  const answer = await callContract(client, { to: usdc, data })
  return answer?.length === 66 && BigInt(answer) !== 0n
}

/** Returns whether the transaction has reverted and the journal has recorded it, so that the redeem can be submitted again. */
export async function awaitRevert(service: Service, chain: EvmChain, sent: StoredRedeem): Promise<boolean> {
  if (sent.status !== 'sending') return false
  let receipt: TransactionReceipt | undefined
  try {
    receipt = await receiptOf(chain, sent.hash)
  } catch (error) {
    // The node cannot be reached, so the state stays unchanged.
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

/** Maximum gas of a deployment, more than any wallet needs. It prevents a factory from draining the relayer. */
const maxDeploymentGas = 5_000_000n

/** Deploys a customer's wallet through an allow-listed factory and waits for its code (ERC-6492). */
export async function deployWallet(
  service: Service,
  { chain, wallet, deployment }: { chain: EvmChain; wallet: Hex; deployment: WalletDeployment },
): Promise<void> {
  const request = { to: deployment.factory, data: deployment.data }
  const gas = await chain.client
    .estimateGas({ account: chain.operator.address, ...request, gas: maxDeploymentGas })
    .catch((error: unknown) => {
      const data = revertDataOf(error)
      if (data === undefined) throw error
      const { reason } = decodeRevert(data)
      throw problem('INVALID_PERMIT', `The wallet's factory reverted: ${reason.slice(0, 200)}.`)
    })
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
    request: { ...request, gas: withHeadroom(gas) },
  })
  await service.relayer.wait(row)
  if (!(await hasCode(chain.client, wallet)))
    throw problem('INVALID_PERMIT', 'The factory call in the signature does not deploy this wallet.')
}

/** Simulates with the highest fee that permit and credits allow: a redeem that succeeds with that fee also succeeds with a lower one. */
export async function dryRunRedeem(
  service: Service,
  options: dryRunRedeem.Options,
): Promise<dryRunRedeem.ReturnType> {
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

export declare namespace dryRunRedeem {
  type Options = {
    redeem: CustomerNonce & { intent: HashedIntent }
    permit: CreditPermit
    request: (gasFee: bigint) => RedeemRequest
    /** The part of the amount to pay with credits, without the fee. Permit and balance limit it. */
    fromCredits: bigint
    credits: bigint
    price: gasPrice.ReturnType
    /** Gas of an earlier simulation that succeeded with at least this fee. */
    gas?: bigint | undefined
    /** Whether the simulation replaces an undeployed wallet with a contract that accepts every signature. */
    asWallet?: boolean | undefined
  }
  type ReturnType = {
    request: RedeemRequest
    gas: bigint
    gasFee: bigint
    /** Credits that the redeem charges, including the fee. */
    charged: bigint
  }
}

async function runExplained(
  service: Service,
  { redeem, request: requestWith, asWallet }: dryRunRedeem.Options,
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

/** Simulates a redeem on the node, and rejects a redeem that would leave tokens behind. Returns the gas used. */
export async function runRedeem(
  service: Pick<Service, 'onError'>,
  chain: EvmChain,
  options: { request: RedeemRequest; stateOverride?: { address: Hex; code: Hex }[] | undefined },
): Promise<bigint> {
  const { request, stateOverride } = options
  // The check runs concurrently. Its result is used only if the redeem succeeds.
  const refusal = refuseLeftBehind(service, chain, options)
  refusal.catch(() => {})
  try {
    const call = { account: chain.operator.address, ...redeemCall(chain, request) }
    const gas = await chain.client.estimateGas({ ...call, stateOverride })
    await refusal
    return gas
  } catch (error) {
    if (error instanceof ServiceProblem || hasTimedOut(error)) throw error
    throw (
      simulationProblem(error) ??
      new ChainReadError('The node could not simulate the redeem.', { cause: error })
    )
  }
}
