import { and, eq } from 'drizzle-orm'
import type { DatabaseWork } from '../../store/database.ts'
import { subscriptionBillings, subscriptions } from '../../store/tables/index.ts'
import type { PaymentRow } from '../payments/paymentRow.ts'
import { changeSubscription } from './moveSubscription.ts'
import { noteFailure } from './noteFailure.ts'

/**
 * Takes back that a payment has paid a period of its subscription, because what it carried could not be done and its money went
 * back: the period is to be paid again, as after a refusal (PROTOCOL.md 10.5). Nothing for payments of no subscription.
 */
export async function reopenPeriod(
  work: DatabaseWork,
  { paymentId, subscriptionId }: Pick<PaymentRow, 'paymentId' | 'subscriptionId'>,
  at: Date,
): Promise<void> {
  if (subscriptionId === null) return
  const [row] = await work
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.subscriptionId, subscriptionId))
    .for('update')
  const [billing] = await work
    .delete(subscriptionBillings)
    .where(
      and(
        eq(subscriptionBillings.subscriptionId, subscriptionId),
        eq(subscriptionBillings.paymentId, paymentId),
      ),
    )
    .returning()
  if (row === undefined || billing === undefined) return
  const period = Math.min(row.period, billing.period)
  if (row.status === 'Active')
    await noteFailure(work, row, {
      to: 'Failed',
      refusals: row.refusals + 1,
      reason: 'What the payment carried could not be done.',
      at,
      change: { period },
    })
  // A later period has failed, or somebody has stopped it: it goes on with this period, when it does.
  else if (row.status === 'Failed' || row.status === 'Blocked')
    await changeSubscription(work, row, { period }, at)
}
