import type { ReportedEntry, ReportedExecution, RuleFinding } from '../redeemReport.ts'
import type { AllowanceInTheEnd, TokenInTheEnd } from '../report/tokensOf.ts'
import type { RedeemPlan } from '../run/redeemPlan.ts'
import type { Reruns } from '../run/runPlan.ts'
import type { UsdcWish } from '../trace/usdcMoves.ts'
import type { RuleContext } from './rule.ts'

/** What an economic rule is given besides. */
export type EconomicContext = RuleContext & {
  plan: RedeemPlan
  changes: Reruns['changes']
  callAlone: Reruns['callAlone']
  entry: ReportedEntry
  execution: ReportedExecution
  /** What the call took of its allowance; `undefined` when it did not come to that. */
  pulled: bigint | undefined
  /** Who wanted USDC inside of the call of the target. */
  wishes: readonly UsdcWish[]
  tokens: readonly TokenInTheEnd[]
  allowances: readonly AllowanceInTheEnd[]
}

/** Judges economic rules. */
export type EconomicJudge = (
  context: EconomicContext,
) => Promise<readonly RuleFinding[]> | readonly RuleFinding[]
