import { eq } from 'drizzle-orm'
import type { PaymentStatus } from '../../../redeemkit/schema/payment.ts'
import type { DatabaseWork } from '../../store/database.ts'
import { emitEvent } from '../../store/emitEvent.ts'
import { paymentMoves, payments } from '../../store/tables/index.ts'
import { paymentEvent } from './paymentEvent.ts'
import type { PaymentRow } from './paymentRow.ts'

/**
 * Writes a move that is known to be allowed, of a row that this work has locked. Others ask `movePayment`.
 *
 * @param move.change columns that change with the state, such as the hash of what was executed
 */
export async function recordMove(
  work: DatabaseWork,
  before: PaymentRow,
  move: recordMove.Move,
): Promise<PaymentRow> {
  const { to, at, reason, change = {} } = move
  const { paymentId, status: from } = before
  const changed = { ...change, status: to, updatedAt: at }
  await work.update(payments).set(changed).where(eq(payments.paymentId, paymentId))
  await work.insert(paymentMoves).values({ paymentId, from, to, reason: reason ?? null, at })
  const moved: PaymentRow = { ...before, ...changed }
  await emitEvent(work, paymentEvent(moved, to, at))
  return moved
}

export declare namespace recordMove {
  type Move = {
    to: PaymentStatus
    /** By the service's clock. */
    at: Date
    /** Why, in words for the merchant. */
    reason?: string | undefined
    change?: Partial<Pick<PaymentRow, 'hash' | 'error'>> | undefined
  }
}
