import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { Database, DatabaseWork, JournalRow } from '../../store/database.ts'
import { emitEvent } from '../../store/emitEvent.ts'
import { payments, proceeds, refunds } from '../../store/tables/index.ts'
import { movePayment, paymentEvent } from '../payments/movePayment.ts'
import type { PaymentRow } from '../payments/paymentRecord.ts'
import { reopenPeriod } from '../subscription/subscriptionRecord.ts'
import { outcomeOf, PaymentNotSettledError } from './outcome.ts'

/** Closes a settled payment and, if the merchant's balance keeps the money, records the proceeds. */
export async function closePayment(
  work: DatabaseWork,
  { payment, hash, at }: { payment: PaymentRow; hash?: Hex | string | undefined; at: Date },
): Promise<PaymentRow> {
  const { paymentId, merchantId } = payment
  const outcome = outcomeOf(payment)
  if (outcome.kind === 'wallet' && outcome.amount > 0n)
    await work.insert(proceeds).values({ paymentId, merchantId, amount: outcome.amount, createdAt: at })
  return movePayment(work, {
    paymentId,
    to: 'settled',
    at,
    ...(hash === undefined ? {} : { change: { hash } }),
  })
}

/** Releases a card's authorization; refunds wire, Pix and app payments in full. A paid subscription period becomes due again. */
export async function failPayment(
  work: DatabaseWork,
  { payment, reason, at }: { payment: PaymentRow; reason: string; at: Date },
): Promise<void> {
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

/** After a revert or drop, the payment stays due, and the next simulation decides whether to send it again. */
export async function finishPayment(
  work: DatabaseWork,
  { row, paymentId, at }: { row: JournalRow; paymentId: string; at: Date },
): Promise<void> {
  if (row.status !== 'mined') return
  const payment = await lockDue(work, paymentId)
  if (payment !== undefined) await closePayment(work, { payment, hash: row.hash, at })
}

export type Settling = { database: Database; payment: PaymentRow; creditSeed: string }

/** Returns the payment only if it is still due. */
export async function lockDue(work: DatabaseWork, paymentId: string): Promise<PaymentRow | undefined> {
  const [row] = await work.select().from(payments).where(eq(payments.paymentId, paymentId)).for('update')
  return row?.status === 'authorized' && !row.authOnly ? row : undefined
}

/** Changes nothing if another process has closed the payment. */
export async function whileAuthorized(
  database: Database,
  paymentId: string,
  change: (work: DatabaseWork) => Promise<unknown>,
): Promise<void> {
  await database.transaction(async (work) => {
    if ((await lockDue(work, paymentId)) !== undefined) await change(work)
  })
}

export function checkAttempts(attempts: number): void {
  if (attempts >= maxAttempts) throw new PaymentNotSettledError(`The transaction reverted ${attempts} times.`)
}

const maxAttempts = 5
