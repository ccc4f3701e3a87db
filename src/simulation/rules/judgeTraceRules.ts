import { ChainReadError } from '../../evm/client/chainReadError.ts'
import { TracingUnavailableError } from '../errors.ts'
import type { RedeemReport, RuleFinding } from '../redeemReport.ts'
import type { EconomicContext } from './economicContext.ts'
import { RuleNotJudgedError } from './ruleNotJudgedError.ts'
import { traceJudges } from './traceJudges.ts'

/** Judges every trace rule. Of one that this node cannot judge, the reason is kept, and the others are judged. */
export async function judgeTraceRules(
  context: EconomicContext,
): Promise<{ findings: RuleFinding[]; notJudged: RedeemReport['notJudged'] }> {
  const judged = await Promise.all(
    traceJudges.map(async ({ code, judge }) => {
      try {
        return { findings: await judge(context), notJudged: [] }
      } catch (error) {
        if (!isReason(error)) throw error
        return { findings: [], notJudged: [{ code, reason: error.shortMessage }] }
      }
    }),
  )
  return {
    findings: judged.flatMap(({ findings }) => findings),
    notJudged: judged.flatMap(({ notJudged }) => notJudged),
  }
}

const isReason = (error: unknown) =>
  error instanceof RuleNotJudgedError ||
  error instanceof ChainReadError ||
  error instanceof TracingUnavailableError
