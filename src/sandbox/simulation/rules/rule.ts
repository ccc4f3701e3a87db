import type { Hex } from 'viem'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { finding } from '../../../redeemkit/core/finding/finding.ts'
import type { Severity, SeverityOf } from '../../../redeemkit/core/finding/findingCatalogue.ts'
import type { EvmClient } from '../../../redeemkit/evm/client.ts'
import type { Settlement } from '../../../redeemkit/evm/transactionData/settlementOf.ts'
import type {
  CallFrame,
  ReportedEntry,
  ReportedExecution,
  ReportedRedeem,
  RuleFinding,
} from '../redeemReport.ts'
import type { RedeemPlan, Reruns } from '../runPlan.ts'
import type { AllowanceInTheEnd, TokenInTheEnd } from '../tokensOf.ts'
import type { UsdcTransferCall } from '../trace/moves.ts'
import { type RuleCode, ruleCatalogue } from './ruleCatalogue.ts'

/** Input of a rule: one run of a redeem, and functions that run it again under changed circumstances, without changing the node's state. */
export type RuleContext = Omit<Reruns, 'lastCheck'> & {
  client: EvmClient
  plan: RedeemPlan
  creditsContract: Hex
  usdc: Hex
  redeem: ReportedRedeem
  settlement: Settlement
  frame: CallFrame
  /** The call to the target; `undefined` if the redeem did not reach it. */
  call: CallFrame | undefined
  entry: ReportedEntry
  execution: ReportedExecution
  /** USDC that the call took from its allowance; `undefined` if the redeem did not reach the call. */
  pulled: bigint | undefined
  transferCalls: readonly UsdcTransferCall[]
  tokens: readonly TokenInTheEnd[]
  allowances: readonly AllowanceInTheEnd[]
}

export type Judge = (context: RuleContext) => Promise<readonly RuleFinding[]> | readonly RuleFinding[]

/** Without `fix`, the finding has the catalogue's fix. */
export function ruleFinding<code extends RuleCode>(
  severity: SeverityOf<code>,
  code: code,
  message: string,
  fix: string = ruleCatalogue.find((rule) => rule.code === code)?.fix ?? '',
): RuleFinding {
  return { ...finding(severity, code, message, { fix }), code }
}

export function brokenRule<code extends RuleCode>(
  ...found: Parameters<typeof ruleFinding<code>>
): RuleFinding[] {
  return [ruleFinding(...found)]
}

export const danger = (code: CodeOf<'danger'>, message: string, fix?: string | undefined): RuleFinding[] =>
  brokenRule('danger', code, message, fix)

export const warning = (code: CodeOf<'warning'>, message: string, fix?: string | undefined): RuleFinding[] =>
  brokenRule('warning', code, message, fix)

/** The rules that can have this severity. */
type CodeOf<severity extends Severity> = {
  [code in RuleCode]: severity extends SeverityOf<code> ? code : never
}[RuleCode]

/** This node cannot check the rule. The report lists it in `notJudged`. */
export class RuleNotJudgedError extends BaseError {
  override readonly name = 'RuleNotJudgedError'
}
