import { and, asc, eq, isNotNull, lte } from 'drizzle-orm'
import type { Database, DatabaseWork } from '../../store/database.ts'
import { payments } from '../../store/tables/index.ts'
import type { Service } from '../service.ts'
import { settlePayment } from '../settlement/settlePayment.ts'
import { checkOpen, movePayment, recordMove } from './movePayment.ts'
import { type PaymentRow, wrongState } from './paymentRecord.ts'

export async function payOrder(
  service: Pick<Service, 'now'>,
  work: DatabaseWork,
  payment: PaymentRow,
): Promise<PaymentRow> {
  const { paymentId, rail } = payment
  if (rail === 'card') throw wrongState(payment, 'A card payment is paid at its checkout.')
  checkOpen(service, payment)
  const at = new Date(service.now())
  return settlePayment(service, work, await movePayment(work, { paymentId, to: 'authorized', at }))
}

/** Expires overdue orders. Several processes can run this at the same time. Returns whether any order is still open. */
export async function expirePayments(service: Pick<Service, 'now'>, database: Database): Promise<boolean> {
  const open = and(eq(payments.status, 'created'), isNotNull(payments.expiresAt))
  const at = new Date(service.now())
  const [next] = await database
    .select({ expiresAt: payments.expiresAt })
    .from(payments)
    .where(open)
    .orderBy(asc(payments.expiresAt))
    .limit(1)
  if (next === undefined) return false
  if (next.expiresAt === null || next.expiresAt > at) return true
  await database.transaction(async (work) => {
    const due = await work
      .select()
      .from(payments)
      .where(and(open, lte(payments.expiresAt, at)))
      .limit(50)
      .for('update', { skipLocked: true })
    for (const row of due) await recordMove(work, row, { to: 'expired', at })
  })
  return true
}
