import type { EvmChain } from '../../chains/evmChain.ts'
import type { RedeemReport } from '../../simulation/redeemReport.ts'
import type { RedeemRequest } from '../../simulation/redeemRequest.ts'
import { simulateRequest } from '../../simulation/simulateRequest.ts'
import { problem, type ServiceProblem } from '../http/problem.ts'
import type { Service } from '../service.ts'
import { pulledTooMuch } from './simulationProblem.ts'

/**
 * Says of a redeem that would fail where it fails, why, and what to change, by a trace of it (PROTOCOL.md 7.2). Only what fails
 * is traced.
 *
 * @param refusal what the bytes of the revert say. It stays where the trace has nothing to add.
 * @returns the answer
 */
export async function explainFailure(
  service: Pick<Service, 'kind' | 'onError'>,
  chain: EvmChain,
  options: explainFailure.Options,
): Promise<ServiceProblem> {
  const { refusal, request, asWallet } = options
  // Of other problems the code says all that there is to say. The engine knows the contract of bound permits.
  if (refusal.code !== 'SIMULATION_FAILED' || service.kind === 'unbound') return refusal
  let report: RedeemReport
  try {
    report = await simulateRequest(chain.client, {
      creditsContract: chain.creditsContract,
      relayer: chain.operator.address,
      request,
      signatures: asWallet ? 'assumed' : 'real',
    })
  } catch (error) {
    // A node that traces nothing: the redeem is refused all the same, with less to say.
    service.onError?.(error)
    return refusal
  }
  const { execution, findings } = report
  // By now it goes through: a block has come in between.
  if (execution.succeeded) return refusal
  const isTooMuch = findings.some(({ code }) => code === 'PULLS_MORE')
  const [gravest] = findings
  const why = isTooMuch
    ? `${pulledTooMuch}: the contract pulled more USDC than the subtotal.`
    : `The redeem would fail: in ${execution.contract}, ${execution.reason}.`
  const rule =
    gravest === undefined || gravest.code === 'CALL_REVERTS' || isTooMuch ? '' : ` ${gravest.message}`
  return problem('SIMULATION_FAILED', `${why}${rule} What to change: ${gravest?.fix ?? execution.fix}`, {
    details: {
      ...refusal.details,
      revertReason: (isTooMuch ? pulledTooMuch : execution.reason).slice(0, 1_000),
      contract: execution.contract,
      at: execution.at,
      findings: findings.map(({ severity, code, message, fix }) => ({ severity, code, message, fix })),
    },
  })
}

export declare namespace explainFailure {
  type Options = {
    refusal: ServiceProblem
    request: RedeemRequest
    /** With a contract that agrees to every signature in the wallet's place. */
    asWallet: boolean | undefined
  }
}
