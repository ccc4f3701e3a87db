import { ChainReadError } from '../../../redeemkit/evm/client.ts'
import { TracingUnavailableError } from '../errors.ts'
import type { RedeemReport, RuleFinding } from '../redeemReport.ts'
import type { EconomicContext, EconomicJudge } from './economicContext.ts'
import type { RuleCode } from './ruleCatalogue.ts'
import { RuleNotJudgedError } from './ruleNotJudgedError.ts'

/** A judge, and the rules that it judges. */
export type RuleJudge = { codes: readonly RuleCode[]; judge: EconomicJudge }

/** Judges rules. Of one that this node cannot judge, the reason is kept, and the others are judged. */
export async function judgeRules(
  judges: readonly RuleJudge[],
  context: EconomicContext,
): Promise<{ findings: RuleFinding[]; notJudged: RedeemReport['notJudged'] }> {
  const judged = await Promise.all(
    judges.map(async ({ codes, judge }) => {
      try {
        return { findings: await judge(context), notJudged: [] }
      } catch (error) {
        if (
          error instanceof RuleNotJudgedError ||
          error instanceof ChainReadError ||
          error instanceof TracingUnavailableError
        )
          return { findings: [], notJudged: codes.map((code) => ({ code, reason: error.shortMessage })) }
        throw error
      }
    }),
  )
  return {
    findings: judged.flatMap(({ findings }) => findings),
    notJudged: judged.flatMap(({ notJudged }) => notJudged),
  }
}
