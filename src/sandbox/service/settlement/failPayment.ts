import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { DatabaseWork } from '../../store/database.ts'
import { emitEvent } from '../../store/emitEvent.ts'
import { payments, refunds } from '../../store/tables/index.ts'
import { movePayment } from '../payments/movePayment.ts'
import { paymentEvent } from '../payments/paymentEvent.ts'
import type { PaymentRow } from '../payments/paymentRow.ts'
import { reopenPeriod } from '../subscription/reopenPeriod.ts'

/**
 * Fails a payment whose work cannot be done, and gives the money back: a card's authorization lapses with the payment, what came
 * by wire, Pix or app is refunded whole. The period of a subscription that it paid is due again.
 *
 * @param options.reason in words for the merchant
 */
export async function failPayment(
  work: DatabaseWork,
  options: { payment: PaymentRow; reason: string; at: Date },
): Promise<void> {
  const { payment, reason, at } = options
  const { paymentId, merchantId, rail, chargedCents } = payment
  const failed = await movePayment(work, { paymentId, to: 'failed', at, reason, change: { error: reason } })
  await reopenPeriod(work, payment, at)
  if (rail === 'card' || chargedCents === 0) return
  await work.insert(refunds).values({
    refundId: `re_${randomUUID()}`,
    merchantId,
    paymentId,
    cents: chargedCents,
    reason: 'failedFulfillment',
    idempotencyKey: null,
    createdAt: at,
  })
  await work.update(payments).set({ refundedCents: chargedCents }).where(eq(payments.paymentId, paymentId))
  await emitEvent(work, paymentEvent({ ...failed, refundedCents: chargedCents }, 'refunded', at))
}
