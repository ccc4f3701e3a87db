import type { Abi, Hex } from 'viem'
import { checkOptions } from '../core/checkOptions.ts'
import type { InvalidOptionError } from '../core/errors/inputErrors.ts'
import type { EvmClient } from '../evm/client/evmClient.ts'
import { settlementKinds } from '../evm/transactionData/settlementKinds.ts'
import type { RedeemRequest } from './call/redeemRequest.ts'
import type { traceCall } from './node/traceCall.ts'
import type { RedeemReport, ReportedEntry } from './redeemReport.ts'
import { makeReport } from './report/makeReport.ts'
import { creditsFacts, newestBlock, readAllowedSelectors, readEntry } from './report/readChain.ts'
import type { RedeemPlan } from './run/redeemPlan.ts'
import { runPlan } from './run/runPlan.ts'

/**
 * Runs a redeem that is put together already, without sending it, and reports what it would do.
 *
 * @param options.signatures `assumed`: the wallet is played by code that agrees to every signature
 * @throws InvalidOptionError; UnsupportedCreditsContractError; TracingUnavailableError when the node has no
 * `debug_traceCall`; ChainReadError
 */
export async function simulateRequest(
  client: EvmClient,
  options: simulateRequest.Options,
): Promise<RedeemReport> {
  checkOptions(options, {
    creditsContract: 'string',
    relayer: 'string',
    request: 'object',
    signatures: 'string?',
    abis: 'list?',
    feeOf: 'function?',
    rules: 'string?',
  })
  const {
    creditsContract,
    relayer,
    request,
    signatures = 'real',
    abis = [],
    feeOf,
    rules = 'economic',
  } = options
  const [facts, block] = await Promise.all([creditsFacts(client, creditsContract), newestBlock(client)])
  const plan: RedeemPlan = { client, creditsContract, relayer, request, signatures, ...facts, ...block }
  const [frame, entry] = await Promise.all([runPlan(plan), entryOf(plan)])
  return makeReport({ plan, frame, entry, abis, feeOf, rules })
}

export declare namespace simulateRequest {
  type Options = {
    creditsContract: Hex
    /** Who sends it: an operator where it has a gas fee. */
    relayer: Hex
    request: RedeemRequest
    /** Default `real`. */
    signatures?: 'real' | 'assumed' | undefined
    /** Name calls, events and errors. */
    abis?: readonly Abi[] | undefined
    /** The gas fee in raw USDC, from the gas of the transaction. */
    feeOf?: ((gas: bigint) => bigint | Promise<bigint>) | undefined
    /** Default `economic`. */
    rules?: 'economic' | 'all' | undefined
  }
  type ErrorType = InvalidOptionError | creditsFacts.ErrorType | traceCall.ErrorType
}

/** What the whitelist says of the call. */
export async function entryOf(plan: RedeemPlan): Promise<ReportedEntry> {
  const { client, creditsContract, blockNumber, request } = plan
  const { kind, target, data, bridge } = request.settlement
  const none = { isAllowed: false, minimumGas: undefined, forbidden: undefined, allowedSelectors: [] }
  if (kind === settlementKinds.token) return { ...none, isNeeded: false, isAllowed: true }
  const chainId = kind === settlementKinds.decent ? bridge.dstChainId : BigInt(plan.chainId)
  // shorter data has no selector, and no entry
  const selector = data.slice(0, 10).padEnd(10, '0') as Hex
  const key = { creditSeed: request.permit.creditSeed, chainId, target, creditsContract, blockNumber }
  const [{ isAllowed, minimumGas }, allowedSelectors] = await Promise.all([
    readEntry(client, { ...key, selector }),
    readAllowedSelectors(client, key),
  ])
  return {
    isNeeded: true,
    isAllowed,
    minimumGas: isAllowed ? minimumGas : undefined,
    forbidden: undefined,
    allowedSelectors,
  }
}
