import { eq } from 'drizzle-orm'
import type { DatabaseWork, JournalRow } from '../../store/database.ts'
import { payments } from '../../store/tables/index.ts'
import { closePayment } from './closePayment.ts'

/**
 * Writes down that a payment's transaction was mined. A reverted or dropped one leaves the payment due: the next rehearsal says
 * whether it is sent again or has failed.
 */
export async function finishPayment(
  work: DatabaseWork,
  options: { row: JournalRow; paymentId: string; at: Date },
): Promise<void> {
  const { row, paymentId, at } = options
  if (row.status !== 'mined') return
  const [payment] = await work.select().from(payments).where(eq(payments.paymentId, paymentId)).for('update')
  if (payment?.status !== 'authorized') return
  await closePayment(work, { payment, hash: row.hash, at })
}
