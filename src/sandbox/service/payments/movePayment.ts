import { eq } from 'drizzle-orm'
import type { PaymentStatus } from '../../../redeemkit/schema/payment.ts'
import type { DatabaseWork } from '../../store/database.ts'
import { payments } from '../../store/tables/index.ts'
import { problem } from '../http/problem.ts'
import type { PaymentRow } from './paymentRow.ts'
import { recordMove } from './recordMove.ts'

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
 * @throws ServiceProblem `PAYMENT_STATE` for a move that `allowedMoves` does not have
 */
export async function movePayment(work: DatabaseWork, move: movePayment.Move): Promise<PaymentRow> {
  const { paymentId, to } = move
  const [before] = await work.select().from(payments).where(eq(payments.paymentId, paymentId)).for('update')
  if (before === undefined) throw problem('NOT_FOUND', 'There is no such payment.')
  const from = before.status
  if (!allowedMoves[from].includes(to))
    throw problem('PAYMENT_STATE', `The payment is ${from}; from there it cannot become ${to}.`, {
      details: { paymentId, status: from },
    })
  return recordMove(work, before, move)
}

export declare namespace movePayment {
  type Move = recordMove.Move & { paymentId: string }
}
