import { randomUUID } from 'node:crypto'
import type { DatabaseWork } from '../../store/database.ts'
import { emitEvent } from '../../store/emitEvent.ts'
import { paymentMoves, payments } from '../../store/tables/index.ts'
import { paymentEvent } from './paymentEvent.ts'
import type { PaymentRow } from './paymentRow.ts'

/** Writes a payment in its first state, `created`, and tells the merchant of it. */
export async function createPayment(work: DatabaseWork, payment: createPayment.New): Promise<PaymentRow> {
  const { at, ...values } = payment
  const paymentId = `pay_${randomUUID()}`
  const [row] = await work
    .insert(payments)
    .values({ ...values, paymentId, status: 'created', createdAt: at, updatedAt: at })
    .returning()
  if (row === undefined) throw new Error('The payment was not written.')
  await work.insert(paymentMoves).values({ paymentId, from: null, to: 'created', at })
  await emitEvent(work, paymentEvent(row, 'created', at))
  return row
}

export declare namespace createPayment {
  type New = Omit<
    typeof payments.$inferInsert,
    'paymentId' | 'status' | 'createdAt' | 'updatedAt' | 'refundedCents' | 'hash' | 'error'
  > & {
    /** By the service's clock. */
    at: Date
  }
}
