import { InvalidRecordError } from '../../../redeemkit/core/errors/inputErrors.ts'
import { parseRecord } from '../../../redeemkit/schema/parseRecord.ts'
import { InvalidSandboxOptionsError } from '../../errors.ts'
import { planBody } from './setPlan.ts'

/**
 * The plans of merchants, as options give them.
 *
 * @throws {@link InvalidSandboxOptionsError}
 */
export function checkPlanOptions(merchants: readonly { plans?: readonly unknown[] | undefined }[]): void {
  for (const { plans = [] } of merchants) for (const plan of plans) checkPlan(plan)
}

function checkPlan(plan: unknown): void {
  try {
    parseRecord(planBody, plan, { record: 'The plan' })
  } catch (cause) {
    if (!(cause instanceof InvalidRecordError)) throw cause
    throw new InvalidSandboxOptionsError(cause.shortMessage, {
      field: `merchants.plans.${cause.field ?? ''}`,
      fix: 'Give code, name, interval (Daily, Weekly, Monthly, Yearly) and amount, as PROTOCOL.md 11.12 says.',
      cause,
    })
  }
}
