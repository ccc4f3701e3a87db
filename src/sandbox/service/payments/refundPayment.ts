import { randomUUID } from 'node:crypto'
import { and, asc, eq, lte, sum } from 'drizzle-orm'
import { type Refund, type RefundBody, refundBody } from '../../../redeemkit/schema/merchantOperations.ts'
import type { DatabaseWork } from '../../store/database.ts'
import { emitEvent } from '../../store/emitEvent.ts'
import { payments, refunds } from '../../store/tables/index.ts'
import { checkStorable } from '../http/checkStorable.ts'
import { authorizedMerchant } from '../http/merchant.ts'
import { problem } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import type { Route } from '../http/route.ts'
import type { Service } from '../service.ts'
import { findPayment } from './findPayment.ts'
import { paymentEvent } from './paymentEvent.ts'
import type { PaymentRow } from './paymentRow.ts'
import { paymentWork } from './paymentWork.ts'

/**
 * `POST /api/merchant/payments/{paymentId}/refund` (PROTOCOL.md 2.11): all that is left, or a part of it, never more. The same
 * idempotency key never refunds twice.
 */
export const refundPayment: Route = {
  method: 'POST',
  alsoAs: 'PUT',
  path: '/api/merchant/payments/:paymentId/refund',
  handle: async (service, context): Promise<Refund> => {
    const body = await readBody(context, refundBody)
    checkStorable(body)
    if (body.partialAmount?.cents === 0)
      throw problem('INVALID_REQUEST', 'A refund of nothing is not possible.', {
        issues: ['partialAmount.cents'],
      })
    if (body.destinationWallet !== undefined)
      throw problem('INVALID_REQUEST', 'Money goes back on the rail that it came by, and to no wallet.', {
        issues: ['destinationWallet'],
      })
    const { merchantId } = await authorizedMerchant(service, context)
    const paymentId = context.req.param('paymentId') ?? ''
    return paymentWork(service, async (work) => {
      const payment = await findPayment(work, { merchantId, paymentId })
      return (await findSame(work, payment, body)) ?? (await refund(service, work, payment, body))
    })
  },
}

/** `GET /api/merchant/payments/{paymentId}/refunds` (PROTOCOL.md 2.11). */
export const listRefunds: Route = {
  method: 'GET',
  path: '/api/merchant/payments/:paymentId/refunds',
  handle: async (service, context): Promise<Refund[]> => {
    const { merchantId } = await authorizedMerchant(service, context)
    const paymentId = context.req.param('paymentId') ?? ''
    const database = await service.database()
    return database.transaction(async (work) => {
      const payment = await findPayment(work, { merchantId, paymentId })
      const rows = await work
        .select()
        .from(refunds)
        .where(eq(refunds.paymentId, paymentId))
        .orderBy(asc(refunds.createdAt), asc(refunds.refundId))
      return rows.map((row) => refundRecord(row, payment))
    })
  },
}

/** The refund that this key stands for already. The payment's row is locked, so there is no second one at the same time. */
async function findSame(
  work: DatabaseWork,
  payment: PaymentRow,
  { idempotencyKey, partialAmount }: RefundBody,
): Promise<Refund | undefined> {
  if (idempotencyKey === undefined) return undefined
  const { merchantId, paymentId } = payment
  const [row] = await work
    .select()
    .from(refunds)
    .where(and(eq(refunds.merchantId, merchantId), eq(refunds.idempotencyKey, idempotencyKey)))
  if (row === undefined) return undefined
  const isSame =
    row.paymentId === paymentId &&
    (partialAmount === undefined ? await tookTheRest(work, payment, row) : partialAmount.cents === row.cents)
  if (!isSame) throw anotherRefund()
  return refundRecord(row, payment)
}

/** Whether nothing was left to give back after a refund: then it is what a body without an amount asks for. */
async function tookTheRest(
  work: DatabaseWork,
  { paymentId, chargedCents }: PaymentRow,
  { createdAt }: typeof refunds.$inferSelect,
): Promise<boolean> {
  const [given] = await work
    .select({ cents: sum(refunds.cents) })
    .from(refunds)
    .where(and(eq(refunds.paymentId, paymentId), lte(refunds.createdAt, createdAt)))
  return Number(given?.cents) === chargedCents
}

function anotherRefund() {
  return problem('AMBIGUOUS_INTENT', 'This idempotency key stands for another refund. Choose another key.')
}

async function refund(
  service: Service,
  work: DatabaseWork,
  payment: PaymentRow,
  wanted: RefundBody,
): Promise<Refund> {
  const { merchantId, paymentId, status } = payment
  if (status !== 'settled' && status !== 'won')
    throw problem('PAYMENT_STATE', `The payment is ${status}: there is nothing to give back.`, {
      details: { paymentId, status },
    })
  const left = payment.chargedCents - payment.refundedCents
  const cents = wanted.partialAmount?.cents ?? left
  if (cents > left || left === 0)
    throw problem('PAYMENT_STATE', `Of this payment ${left} cents are left to give back.`, {
      details: { paymentId, status, leftCents: left },
    })
  const at = new Date(service.now())
  const row = {
    refundId: `re_${randomUUID()}`,
    merchantId,
    paymentId,
    cents,
    reason: wanted.refundReason ?? null,
    idempotencyKey: wanted.idempotencyKey ?? null,
    createdAt: at,
  }
  // Another payment's refund may take the same key at the same time: that row is not locked by this work.
  const [written] = await work
    .insert(refunds)
    .values(row)
    .onConflictDoNothing({ target: [refunds.merchantId, refunds.idempotencyKey] })
    .returning()
  if (written === undefined) throw anotherRefund()
  const refundedCents = payment.refundedCents + cents
  await work.update(payments).set({ refundedCents, updatedAt: at }).where(eq(payments.paymentId, paymentId))
  await emitEvent(work, paymentEvent({ ...payment, refundedCents, updatedAt: at }, 'refunded', at))
  return refundRecord(row, payment)
}

function refundRecord(row: typeof refunds.$inferSelect, { chargedCurrency }: PaymentRow): Refund {
  return {
    id: row.refundId,
    paymentId: row.paymentId,
    amount: { cents: row.cents, currency: chargedCurrency },
    status: 'completed',
    ...(row.reason !== null && { refundReason: row.reason }),
    createdAt: row.createdAt.toISOString(),
  }
}
