import type { RedeemReport } from '../../simulation/redeemReport.ts'

/** A report as JSON: whole numbers beyond those of JavaScript are decimal text. */
export function reportJson(report: RedeemReport): object {
  return JSON.parse(
    JSON.stringify(report, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)),
  )
}
