import { randomUUID } from 'node:crypto'
import { and, asc, eq } from 'drizzle-orm'
import { type Refund, type RefundBody, refundBody } from '../../../redeemkit/schema/merchantOperations.ts'
import type { DatabaseWork } from '../../store/database.ts'
import { emitEvent } from '../../store/emitEvent.ts'
import { payments, refunds } from '../../store/tables/index.ts'
import { authorizedMerchant } from '../http/merchant.ts'
import { invalid, problem } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import { endpoint, type Route } from '../http/route.ts'
import type { Service } from '../service.ts'
import { paymentEvent, paymentWork } from './movePayment.ts'
import { paymentMeanings } from './paymentMeanings.ts'
import { findPayment, type PaymentRow, wrongState } from './paymentRecord.ts'

/** `POST /api/merchant/payments/{paymentId}/refund` (PROTOCOL.md 2.11). Each idempotency key refunds only once. */
export const refundPayment: Route = {
  ...endpoint('refundPayment', async (service, context): Promise<Refund> => {
    const body = await readBody(context, refundBody)
    if (body.partialAmount?.cents === 0)
      throw invalid('partialAmount.cents', 'The amount to refund must be above zero.')
    if (body.destinationWallet !== undefined)
      throw invalid('destinationWallet', 'Refunds use the rail of the payment. Omit the wallet.')
    const { merchantId } = await authorizedMerchant(service, context)
    const paymentId = context.req.param('paymentId') ?? ''
    return paymentWork(service, async (work) => {
      const payment = await findPayment(work, { merchantId, paymentId })
      return (await findSame(work, payment, body)) ?? (await refund(service, work, payment, body))
    })
  }),
  alsoAs: 'PUT',
}

export const listRefunds = endpoint('getRefunds', async (service, context): Promise<Refund[]> => {
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
})

/** Finds an earlier refund with this key. The payment's row is locked, so there is no concurrent refund of this payment. */
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
  if (row.paymentId !== paymentId || row.askedCents !== (partialAmount?.cents ?? null)) throw anotherRefund()
  return refundRecord(row, payment)
}

function anotherRefund() {
  return problem(
    'AMBIGUOUS_INTENT',
    'This idempotency key was used for a different refund. Choose another key.',
  )
}

async function refund(
  service: Service,
  work: DatabaseWork,
  payment: PaymentRow,
  wanted: RefundBody,
): Promise<Refund> {
  const { merchantId, paymentId, status } = payment
  if (!paymentMeanings[status].earns)
    throw wrongState(payment, `The payment is ${status} and cannot be refunded.`)
  const left = payment.chargedCents - payment.refundedCents
  const cents = wanted.partialAmount?.cents ?? left
  if (cents > left || left === 0)
    throw problem('PAYMENT_STATE', `Only ${left} cents of this payment can still be refunded.`, {
      details: { paymentId, status, leftCents: left },
    })
  const at = new Date(service.now())
  const row = {
    refundId: `re_${randomUUID()}`,
    merchantId,
    paymentId,
    cents,
    askedCents: wanted.partialAmount?.cents ?? null,
    reason: wanted.refundReason ?? null,
    idempotencyKey: wanted.idempotencyKey ?? null,
    createdAt: at,
  }
  // A concurrent refund of a different payment, whose row is not locked here, may use the same key.
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
