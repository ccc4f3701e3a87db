import { OutcomeUnknownError } from '../../redeemkit/api/errors.ts'
import { isServiceError } from '../../redeemkit/api/serviceError.ts'
import { RedeemWouldFailError } from '../../redeemkit/redeem/errors.ts'
import { type ReadError, readError } from './printError.ts'
import type { SandboxReport } from './printReport.ts'

/**
 * Reads the error of a redeem for display above its report. Client and service do not have the ABIs of the command, so the reason
 * is that of the report, which also has the fixes.
 */
export function errorBesideReport(error: unknown, { report, sandbox }: SandboxReport): ReadError {
  const [gravest] = report.findings.filter(({ severity }) => severity === 'danger')
  if (gravest === undefined) return readError(error)
  if (error instanceof RedeemWouldFailError)
    return { name: error.name, message: `${gravest.message} Nothing was signed.` }
  if (!(error instanceof OutcomeUnknownError) || !isServiceError(error.cause)) return readError(error)
  const { status, code } = error.cause
  const end = new Date(Number(error.validBefore) * 1000).toISOString()
  return {
    name: error.name,
    message: `The service answered ${status} ${code}. ${gravest.message}`,
    fix: `Its permit was submitted, and can execute once until ${end}: see ${sandbox}/dashboard. Another run of this command is another payment.`,
  }
}
