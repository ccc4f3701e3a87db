import type { RedeemReport } from '../../simulation/redeemReport.ts'
import { formatReport } from '../../simulation/text/formatReport.ts'

/**
 * Prints a report, for a person or a program, and ends the command with what it says: 0 when the redeem goes through and breaks no
 * rule, or only warnings are told; 1 when it is refused.
 */
export function printReport(report: RedeemReport, { json = false }: { json?: boolean | undefined }): void {
  const { columns, isTTY } = process.stdout
  console.log(
    json
      ? JSON.stringify(report, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))
      : formatReport(report, {
          columns: Math.min(columns ?? 100, 100),
          colour: isTTY && process.stdout.hasColors(),
        }),
  )
  process.exitCode = report.verdict === 'refuse' ? 1 : 0
}
