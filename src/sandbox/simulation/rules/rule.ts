import type { Hex } from 'viem'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { finding } from '../../../redeemkit/core/finding/finding.ts'
import type { SeverityOf } from '../../../redeemkit/core/finding/findingCatalogue.ts'
import type { EvmClient } from '../../../redeemkit/evm/client/evmClient.ts'
import type { Settlement } from '../../../redeemkit/evm/transactionData/settlementOf.ts'
import type {
  CallFrame,
  ReportedEntry,
  ReportedExecution,
  ReportedRedeem,
  RuleFinding,
} from '../redeemReport.ts'
import type { AllowanceInTheEnd, TokenInTheEnd } from '../report/tokensOf.ts'
import type { Circumstances, RedeemPlan, Reruns, Run } from '../runPlan.ts'
import type { UsdcWish } from '../trace/usdcMoves.ts'
import { type RuleCode, ruleCatalogue } from './ruleCatalogue.ts'

/** What a rule is given: one run of a redeem, and the means to run it again under other circumstances. */
export type RuleContext = {
  client: EvmClient
  creditsContract: Hex
  usdc: Hex
  redeem: ReportedRedeem
  settlement: Settlement
  /** The run; its root is the call of the credits contract. */
  frame: CallFrame
  /** The call of the target inside of it; `undefined` when it did not come to that. */
  call: CallFrame | undefined
  /** Runs the same redeem again. The node's state stays as it was. */
  rerun: (circumstances: Circumstances) => Promise<Run>
  /** The words of a contract's storage that the redeem reads or writes, as they are before it. */
  reads: (of: Hex) => Promise<Readonly<Record<Hex, Hex>>>
}

/** Judges one rule, or some that are told apart by the same look. */
export type Judge = (context: RuleContext) => Promise<readonly RuleFinding[]> | readonly RuleFinding[]

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

/** A rule that is broken. The way out is that of the catalogue, unless more is known. */
export function ruleFinding<code extends RuleCode>(
  severity: SeverityOf<code>,
  code: code,
  message: string,
  fix: string = ruleCatalogue.find((rule) => rule.code === code)?.fix ?? '',
): RuleFinding {
  return { ...finding(severity, code, message, { fix }), code }
}

/** A rule that cannot be judged here. The report says so, with the reason (`notJudged`). */
export class RuleNotJudgedError extends BaseError {
  override readonly name = 'RuleNotJudgedError'
}
