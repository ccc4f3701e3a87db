import { finding } from '../../../redeemkit/core/finding/finding.ts'
import type { SeverityOf } from '../../../redeemkit/core/finding/findingCatalogue.ts'
import type { RuleFinding } from '../redeemReport.ts'
import { type RuleCode, ruleCatalogue } from './ruleCatalogue.ts'

/** A rule that is broken. The way out is that of the catalogue, unless more is known. */
export function ruleFinding<code extends RuleCode>(
  severity: SeverityOf<code>,
  code: code,
  message: string,
  fix: string = ruleCatalogue.find((rule) => rule.code === code)?.fix ?? '',
): RuleFinding {
  return { ...finding(severity, code, message, { fix }), code }
}
