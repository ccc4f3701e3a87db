import { verdictOf } from '../../../redeemkit/core/finding/finding.ts'
import type { RedeemReport, ReportedEntry } from '../redeemReport.ts'
import type { RedeemPlan } from '../run/redeemPlan.ts'
import { runPlan } from '../run/runPlan.ts'
import { assumeEntry } from './assumeEntry.ts'
import { entryKeyOf, entryOf } from './entryOf.ts'
import { makeReport } from './makeReport.ts'

type Options = Pick<makeReport.Options, 'abis' | 'feeOf' | 'rules'>

/** Runs a redeem and reports. Of one that only the whitelist stops, the other rules are judged as if it were allowed. */
export async function reportPlan(plan: RedeemPlan, options: Options): Promise<RedeemReport> {
  const [frame, entry] = await Promise.all([runPlan(plan), entryOf(plan)])
  const report = await makeReport({ plan, frame, entry, ...options })
  if (!isStoppedByWhitelist(report)) return report
  const assumed = await assumeEntry(plan.client, entryKeyOf(plan))
  return assumed === undefined
    ? report
    : withRest(report, await ifAllowed({ ...plan, assumed }, { entry, ...options }))
}

const isStoppedByWhitelist = ({ whitelist, execution }: RedeemReport) =>
  whitelist.isNeeded &&
  !whitelist.isAllowed &&
  whitelist.forbidden === undefined &&
  !execution.succeeded &&
  execution.error === 'NotWhitelisted'

async function ifAllowed(
  plan: RedeemPlan,
  options: Options & { entry: ReportedEntry },
): Promise<RedeemReport> {
  const entry = { ...options.entry, isAllowed: true }
  return makeReport({ plan, frame: await runPlan(plan), ...options, entry })
}

/** What was seen of it as it is, and what else is to be changed, or asked for. */
function withRest(report: RedeemReport, allowed: RedeemReport): RedeemReport {
  const findings = [...report.findings, ...allowed.findings]
  const { call, suggestedMinimumGas } = allowed.gas
  return {
    ...report,
    findings,
    notJudged: allowed.notJudged,
    verdict: verdictOf(findings),
    gas: { ...report.gas, call, suggestedMinimumGas },
  }
}
