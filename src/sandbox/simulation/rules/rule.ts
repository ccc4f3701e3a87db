import type { Hex } from 'viem'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { finding } from '../../../redeemkit/core/finding/finding.ts'
import type { SeverityOf } from '../../../redeemkit/core/finding/findingCatalogue.ts'
import type { EvmClient } from '../../../redeemkit/evm/client.ts'
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
import type { UsdcTransferCall } from '../trace/usdcMoves.ts'
import { type RuleCode, ruleCatalogue } from './ruleCatalogue.ts'

/** Input of a rule: one run of a redeem, and functions that run it again under changed circumstances. */
export type RuleContext = {
  client: EvmClient
  creditsContract: Hex
  usdc: Hex
  redeem: ReportedRedeem
  settlement: Settlement
  frame: CallFrame
  /** The call to the target; `undefined` if the redeem did not reach it. */
  call: CallFrame | undefined
  /** Does not change the node's state. */
  rerun: (circumstances: Circumstances) => Promise<Run>
  reads: Reruns['reads']
}

export type Judge = (context: RuleContext) => Promise<readonly RuleFinding[]> | readonly RuleFinding[]

export type EconomicContext = RuleContext & {
  plan: RedeemPlan
  changes: Reruns['changes']
  callAlone: Reruns['callAlone']
  traceSequence: Reruns['traceSequence']
  hashed: Reruns['hashed']
  entry: ReportedEntry
  execution: ReportedExecution
  /** USDC that the call took from its allowance; `undefined` if the redeem did not reach the call. */
  pulled: bigint | undefined
  transferCalls: readonly UsdcTransferCall[]
  tokens: readonly TokenInTheEnd[]
  allowances: readonly AllowanceInTheEnd[]
}

export type EconomicJudge = (
  context: EconomicContext,
) => Promise<readonly RuleFinding[]> | readonly RuleFinding[]

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

/** This node cannot check the rule. The report lists it in `notJudged`. */
export class RuleNotJudgedError extends BaseError {
  override readonly name = 'RuleNotJudgedError'
}
