import { eq } from 'drizzle-orm'
import type { PaymentStatus } from '../../../schema/payment.ts'
import type { DatabaseWork } from '../../store/database.ts'
import { paymentMoves, payments } from '../../store/tables/index.ts'
import { problem } from '../http/problem.ts'
import { emitEvent } from '../webhooks/emitEvent.ts'
import { paymentEvent } from './paymentEvent.ts'
import type { PaymentRow } from './paymentRow.ts'

/** Where a payment may go from each state (PROTOCOL.md 10.1). */
export const allowedMoves: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  created: ['authorized', 'expired', 'failed'],
  authorized: ['settled', 'voided', 'failed'],
  settled: ['disputed'],
  disputed: ['won', 'lost'],
  expired: [],
  voided: [],
  failed: [],
  won: [],
  lost: [],
}

/**
 * Moves a payment to another state, notes the move with its time, and tells the merchant of it, all in one database
 * transaction. Two who move it at once: the second sees what the first did.
 *
 * @param move.change columns that change with the state, such as the hash of what was executed
 * @throws ServiceProblem `PAYMENT_STATE` for a move that `allowedMoves` does not have
 */
export async function movePayment(work: DatabaseWork, move: movePayment.Move): Promise<PaymentRow> {
  const { paymentId, to, at, reason, change = {} } = move
  const [before] = await work.select().from(payments).where(eq(payments.paymentId, paymentId)).for('update')
  if (before === undefined) throw problem('NOT_FOUND', 'There is no such payment.')
  const from = before.status
  if (!allowedMoves[from].includes(to))
    throw problem('PAYMENT_STATE', `The payment is ${from}; from there it cannot become ${to}.`, {
      details: { paymentId, status: from },
    })
  const moved: PaymentRow = { ...before, ...change, status: to, updatedAt: at }
  await work
    .update(payments)
    .set({ ...change, status: to, updatedAt: at })
    .where(eq(payments.paymentId, paymentId))
  await work.insert(paymentMoves).values({ paymentId, from, to, reason: reason ?? null, at })
  await emitEvent(work, paymentEvent(moved, to, at))
  return moved
}

export declare namespace movePayment {
  type Move = {
    paymentId: string
    to: PaymentStatus
    /** By the service's clock. */
    at: Date
    /** Why, in words for the merchant. */
    reason?: string | undefined
    change?: Partial<Pick<PaymentRow, 'hash' | 'error'>> | undefined
  }
}
