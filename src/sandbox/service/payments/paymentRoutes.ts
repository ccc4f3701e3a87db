import { randomBytes } from 'node:crypto'
import { and, asc, desc, eq, lt, ne, or } from 'drizzle-orm'
import type { Context } from 'hono'
import * as z from 'zod/mini'
import { showValue } from '../../../redeemkit/core/errors/showValue.ts'
import { chargebackResponseBody } from '../../../redeemkit/schema/merchantOperations.ts'
import { parseRecord } from '../../../redeemkit/schema/parseRecord.ts'
import type { Payment } from '../../../redeemkit/schema/payment.ts'
import { type Purchase, type PurchasesResponse, purchasesQuery } from '../../../redeemkit/schema/purchase.ts'
import { filledText } from '../../../redeemkit/schema/values.ts'
import type { Database, DatabaseWork } from '../../store/database.ts'
import {
  cardTokens,
  chargebackResponses,
  evidenceFiles,
  paymentMoves,
  payments,
} from '../../store/tables/index.ts'
import { payOrder } from '../checkout/orders.ts'
import { type CheckoutCustomer, checkoutCustomer } from '../http/checkoutCustomer.ts'
import { authorizedMerchant } from '../http/merchant.ts'
import { invalid } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import { type AppEnv, endpoint, type Route, route } from '../http/route.ts'
import type { Service } from '../service.ts'
import { movePayment, paymentWork } from './movePayment.ts'
import { findPayment, ofCustomer, type PaymentRow, paymentRecord, wrongState } from './paymentRecord.ts'
import { listRefunds, refundPayment } from './refundPayment.ts'

const getPayment = endpoint('getPayment', async (service, context): Promise<Payment> => {
  const { merchantId } = await authorizedMerchant(service, context)
  const paymentId = context.req.param('paymentId') ?? ''
  const database = await service.database()
  return database.transaction(async (work) => {
    const payment = await findPayment(work, { merchantId, paymentId })
    const moves = await work
      .select()
      .from(paymentMoves)
      .where(eq(paymentMoves.paymentId, paymentId))
      .orderBy(asc(paymentMoves.id))
    const token = payment.cardToken
    const [card] =
      token === null ? [] : await work.select().from(cardTokens).where(eq(cardTokens.token, token))
    return {
      ...paymentRecord(payment),
      ...(card && { card: { token: card.token, lastFour: card.lastFour } }),
      history: moves.map(({ from, to, at, reason }) => ({
        ...(from !== null && { from }),
        to,
        at: at.toISOString(),
        ...(reason !== null && { reason }),
      })),
    }
  })
})

/** The query of the dashboard's list, which shows only the newest payments and so needs no `after`. */
const listQuery = z.strictObject({ limit: purchasesQuery.shape.limit })

/** `GET /sandbox/payments`: lists the merchant's payments, newest first (PROTOCOL.md 2.10). */
const listPayments = route('GET', '/sandbox/payments', async (service, context) => {
  const { limit = '50' } = parseRecord(listQuery, context.req.query(), { record: 'The query' })
  const { merchantId } = await authorizedMerchant(service, context)
  const database = await service.database()
  const rows = await database
    .select()
    .from(payments)
    .where(eq(payments.merchantId, merchantId))
    .orderBy(desc(payments.createdAt), desc(payments.paymentId))
    .limit(Number(limit))
  return { payments: rows.map(paymentRecord) }
})

const pageSize = '20'

/** `GET /api/customer/purchases/{merchantId}` (PROTOCOL.md 2.11): lists purchases, newest first. Saving a card is not a purchase. */
const purchases = endpoint('getPurchases', async (service, context): Promise<PurchasesResponse> => {
  const { limit = pageSize, after } = parseRecord(purchasesQuery, context.req.query(), {
    record: 'The query',
  })
  const customer = await checkoutCustomer(service, context)
  const database = await service.database()
  const isOlder = after === undefined ? undefined : await olderThan(database, customer, after)
  const count = Number(limit)
  const rows = await database
    .select()
    .from(payments)
    .where(and(ofCustomer(payments, customer), ne(payments.totalCents, 0), isOlder))
    .orderBy(desc(payments.createdAt), desc(payments.paymentId))
    .limit(count + 1)
  const shown = rows.slice(0, count)
  const last = shown.at(-1)
  return {
    purchases: shown.map(purchaseRecord),
    ...(rows.length > count && last && { next: last.paymentId }),
  }
})

async function olderThan(database: Database, customer: CheckoutCustomer, after: string) {
  const [row] = await database
    .select({ createdAt: payments.createdAt })
    .from(payments)
    .where(and(eq(payments.paymentId, after), ofCustomer(payments, customer)))
  if (row === undefined) throw invalid('after', `The customer has no purchase ${showValue(after)}.`)
  return or(
    lt(payments.createdAt, row.createdAt),
    and(eq(payments.createdAt, row.createdAt), lt(payments.paymentId, after)),
  )
}

function purchaseRecord(row: PaymentRow): Purchase {
  const { chargedCurrency: currency, refundedCents } = row
  return {
    paymentId: row.paymentId,
    status: row.status,
    rail: row.rail,
    subtotal: { cents: row.subtotalCents, currency: row.currency },
    total: { cents: row.totalCents, currency },
    ...(refundedCents > 0 && { refunded: { cents: refundedCents, currency } }),
    ...(row.subscriptionId !== null && { subscriptionId: row.subscriptionId }),
    ...(row.hash !== null && { hash: row.hash }),
    createdAt: row.createdAt.toISOString(),
  }
}

const evidenceFileBody = z.strictObject({
  name: filledText,
  content: z.string().check(z.base64('expected base64'), z.minLength(1, 'expected base64 of a file')),
})

/** `POST /sandbox/evidence-files`: uploads a file and returns its key for a chargeback response (PROTOCOL.md 2.10). */
const evidenceFile = route('POST', '/sandbox/evidence-files', async (service, context) => {
  const body = await readBody(context, evidenceFileBody)
  const { merchantId } = await authorizedMerchant(service, context)
  const fileKey = `file_${randomBytes(24).toString('base64url')}`
  const database = await service.database()
  await database
    .insert(evidenceFiles)
    .values({ ...body, fileKey, merchantId, createdAt: new Date(service.now()) })
  return { fileKey }
})

/** `POST /api/merchant/chargebacks/{paymentId}/respond` (PROTOCOL.md 2.7): can be repeated while the dispute is open. */
const respondToChargeback = endpoint('respondToChargeback', async (service, context) => {
  const body = await readBody(context, chargebackResponseBody)
  const { merchantId } = await authorizedMerchant(service, context)
  const paymentId = context.req.param('paymentId') ?? ''
  await paymentWork(service, async (work) => {
    const payment = await findPayment(work, { merchantId, paymentId })
    if (payment.status !== 'disputed')
      throw wrongState(payment, `The payment is ${payment.status} and has no open dispute.`)
    const answer = 'fileKey' in body ? { fileKey: body.fileKey } : { response: body.response }
    if (answer.fileKey !== undefined) await checkFile(work, { merchantId, fileKey: answer.fileKey })
    await work
      .insert(chargebackResponses)
      .values({ paymentId, ...answer, createdAt: new Date(service.now()) })
  })
  return {}
})

async function checkFile(work: DatabaseWork, file: { merchantId: string; fileKey: string }): Promise<void> {
  const { merchantId, fileKey } = file
  const [row] = await work
    .select({ fileKey: evidenceFiles.fileKey })
    .from(evidenceFiles)
    .where(and(eq(evidenceFiles.fileKey, fileKey), eq(evidenceFiles.merchantId, merchantId)))
  if (row === undefined)
    throw invalid('fileKey', 'The file does not exist. Upload it with POST /sandbox/evidence-files.')
}

const disputeBody = z.strictObject({ reason: z.optional(z.string()) })
const decisionBody = z.strictObject({ won: z.boolean() })

/** Actions of customers, banks and card networks, which the developer triggers in the sandbox (PROTOCOL.md 2.10). */
const paymentDecisions: readonly Route[] = [
  route('POST', '/sandbox/payments/:paymentId/pay', (service, context) =>
    decide(service, context, (work, payment) => payOrder(service, work, payment)),
  ),
  route('POST', '/sandbox/payments/:paymentId/dispute', async (service, context) => {
    const { reason } = await readBody(context, disputeBody)
    return decide(service, context, (work, payment) => move(service, work, payment, 'disputed', reason))
  }),
  route('POST', '/sandbox/payments/:paymentId/decide', async (service, context) => {
    const { won } = await readBody(context, decisionBody)
    return decide(service, context, (work, payment) => move(service, work, payment, won ? 'won' : 'lost'))
  }),
]

async function decide(
  service: Service,
  context: Context<AppEnv>,
  run: (work: DatabaseWork, payment: PaymentRow) => Promise<PaymentRow>,
): Promise<{ paymentId: string; status: string }> {
  const { merchantId } = await authorizedMerchant(service, context)
  const paymentId = context.req.param('paymentId') ?? ''
  const { status } = await paymentWork(service, async (work) =>
    run(work, await findPayment(work, { merchantId, paymentId })),
  )
  return { paymentId, status }
}

function move(
  service: Service,
  work: DatabaseWork,
  { paymentId }: PaymentRow,
  to: 'disputed' | 'won' | 'lost',
  reason?: string,
): Promise<PaymentRow> {
  return movePayment(work, { paymentId, to, at: new Date(service.now()), reason })
}

export const paymentRoutes: readonly Route[] = [
  getPayment,
  listPayments,
  refundPayment,
  listRefunds,
  purchases,
  respondToChargeback,
  evidenceFile,
  ...paymentDecisions,
]
