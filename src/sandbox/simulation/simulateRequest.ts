import type { Abi, Hex } from 'viem'
import { checkOptions } from '../../redeemkit/core/checkOptions.ts'
import type { InvalidOptionError } from '../../redeemkit/core/errors/inputErrors.ts'
import type { EvmClient } from '../../redeemkit/evm/client.ts'
import type { RedeemRequest } from './call/redeemRequest.ts'
import type { traceCall } from './node/traceCall.ts'
import type { RedeemReport } from './redeemReport.ts'
import { adapterFor, creditsFacts, newestBlock } from './report/readChain.ts'
import { reportPlan } from './report/reportPlan.ts'

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
  const { kind } = request.settlement
  const [facts, block, bridgeAdapter] = await Promise.all([
    creditsFacts(client, creditsContract),
    newestBlock(client),
    adapterFor(client, { creditsContract, kind }),
  ])
  const plan = { client, creditsContract, relayer, request, signatures, bridgeAdapter, ...facts, ...block }
  return reportPlan(plan, { abis, feeOf, rules })
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
