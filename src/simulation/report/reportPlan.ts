import type { RedeemReport } from '../redeemReport.ts'
import type { RedeemPlan } from '../run/redeemPlan.ts'
import { runPlan } from '../run/runPlan.ts'
import { entryOf } from './entryOf.ts'
import { makeReport } from './makeReport.ts'

/** Runs a redeem and reports. */
export async function reportPlan(
  plan: RedeemPlan,
  options: Pick<makeReport.Options, 'abis' | 'feeOf' | 'rules'>,
): Promise<RedeemReport> {
  const [frame, entry] = await Promise.all([runPlan(plan), entryOf(plan)])
  return makeReport({ plan, frame, entry, ...options })
}
