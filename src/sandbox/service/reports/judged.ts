import { NoRedeemError, TracingUnavailableError } from '../../simulation/errors.ts'
import type { RedeemReport } from '../../simulation/redeemReport.ts'
import { problem } from '../http/problem.ts'
import type { Service } from '../service.ts'

/**
 * Makes a report, or says why this service has none.
 *
 * @throws ServiceProblem
 */
export async function judged(
  service: Pick<Service, 'kind'>,
  report: () => Promise<RedeemReport>,
): Promise<RedeemReport> {
  if (service.kind === 'unbound')
    throw problem(
      'FORBIDDEN',
      'Of unbound permits no report is made: their contract does not tell what it did.',
    )
  try {
    return await report()
  } catch (error) {
    if (error instanceof TracingUnavailableError)
      throw problem('UNAVAILABLE', 'The node of this chain traces no calls: there is no report.', {
        cause: error,
      })
    if (error instanceof NoRedeemError) throw problem('NOT_FOUND', error.shortMessage, { cause: error })
    throw error
  }
}
