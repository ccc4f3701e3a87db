import type { RedeemReport } from '../../simulation/redeemReport.ts'
import { formatReport } from '../../simulation/text/formatReport.ts'
import { jsonOf } from '../jsonOf.ts'

/**
 * Prints a report, for a person or a program, and ends the command with what it says: 0 when the redeem goes through and breaks no
 * rule, or only warnings are told; 1 when it is refused.
 */
export function printReport(report: RedeemReport, { json = false }: { json?: boolean | undefined }): void {
  const { columns = 100 } = process.stdout
  const page = { columns: Math.min(columns, 100), colour: isColoured() }
  console.log(json ? jsonOf(report) : formatReport(report, page))
  process.exitCode = report.verdict === 'refuse' ? 1 : 0
}

/** As https://no-color.org and https://force-color.org say; else where it goes to a terminal with colours. */
function isColoured(): boolean {
  const { NO_COLOR: no, FORCE_COLOR: force } = process.env
  if (no !== undefined && no !== '') return false
  if (force !== undefined && force !== '') return force !== '0' && force !== 'false'
  return process.stdout.isTTY && process.stdout.hasColors()
}
