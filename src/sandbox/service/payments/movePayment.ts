import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { PaymentStatus } from '../../../redeemkit/schema/payment.ts'
import type { DatabaseWork } from '../../store/database.ts'
import { emitEvent } from '../../store/emitEvent.ts'
import { paymentMoves, payments } from '../../store/tables/index.ts'
import { problem } from '../http/problem.ts'
import type { Service } from '../service.ts'
import { type PaymentRow, paymentRecord, wrongState } from './paymentRecord.ts'

/** Creates the webhook event of a payment, with its record: after a move, before settlement, or after a refund (PROTOCOL.md 10.4). */
export function paymentEvent(
  row: PaymentRow,
  about: PaymentStatus | 'presettle' | 'refunded',
  at: Date,
): emitEvent.Event {
  return { merchantId: row.merchantId, type: `payment.${about}`, at, data: paymentRecord(row) }
}

/** This database transaction must have locked the row. Other callers use `movePayment`. */
export async function recordMove(
  work: DatabaseWork,
  before: PaymentRow,
  { to, at, reason, change = {} }: recordMove.Move,
): Promise<PaymentRow> {
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
    at: Date
    reason?: string | undefined
    change?: Partial<Pick<PaymentRow, 'hash' | 'error'>> | undefined
  }
}

/** The states to which each state may move (PROTOCOL.md 10.1). */
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

/** Moves a payment and emits an event, in one database transaction. Locks the row, so that concurrent moves run one after another. */
export async function movePayment(
  work: DatabaseWork,
  move: recordMove.Move & { paymentId: string },
): Promise<PaymentRow> {
  const { paymentId, to } = move
  const [before] = await work.select().from(payments).where(eq(payments.paymentId, paymentId)).for('update')
  if (before === undefined) throw problem('NOT_FOUND', 'The payment does not exist.')
  const from = before.status
  if (!allowedMoves[from].includes(to))
    throw wrongState(before, `The payment is ${from} and cannot become ${to}.`)
  return recordMove(work, before, move)
}

/** Rejects an expired order, even if its row still has an earlier state. */
export function checkOpen(service: Pick<Service, 'now'>, payment: PaymentRow): void {
  const { status, expiresAt } = payment
  const hasPassed = status === 'created' && expiresAt !== null && expiresAt.getTime() <= service.now()
  if (hasPassed)
    throw wrongState({ ...payment, status: 'expired' }, 'The order has expired. Create a new one.')
}

export async function createPayment(
  work: DatabaseWork,
  { at, ...values }: createPayment.New,
): Promise<PaymentRow> {
  const paymentId = `pay_${randomUUID()}`
  const [row] = await work
    .insert(payments)
    .values({ ...values, paymentId, status: 'created', createdAt: at, updatedAt: at })
    .returning()
  if (row === undefined) throw new Error('The payment was not stored.')
  await work.insert(paymentMoves).values({ paymentId, from: null, to: 'created', at })
  await emitEvent(work, paymentEvent(row, 'created', at))
  return row
}

export declare namespace createPayment {
  type New = Omit<
    typeof payments.$inferInsert,
    'paymentId' | 'status' | 'createdAt' | 'updatedAt' | 'refundedCents' | 'hash' | 'error'
  > & { at: Date }
}

/** Changes payments in one database transaction, then wakes the settlement. */
export async function paymentWork<result>(
  service: Service,
  run: (work: DatabaseWork) => Promise<result>,
): Promise<result> {
  const database = await service.database()
  const result = await database.transaction(run)
  service.relayer.wake()
  return result
}
