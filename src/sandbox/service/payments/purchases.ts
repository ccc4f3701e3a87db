import { and, desc, eq, lt, ne, or } from 'drizzle-orm'
import { parseRecord } from '../../../redeemkit/schema/parseRecord.ts'
import { type Purchase, type PurchasesResponse, purchasesQuery } from '../../../redeemkit/schema/purchase.ts'
import type { Database } from '../../store/database.ts'
import { payments } from '../../store/tables/index.ts'
import { type CheckoutCustomer, checkoutCustomer } from '../http/checkoutCustomer.ts'
import { problem } from '../http/problem.ts'
import type { Route } from '../http/route.ts'
import { isStorableText } from '../http/storableText.ts'
import { ofCustomer } from './ofCustomer.ts'
import type { PaymentRow } from './paymentRow.ts'

/** `GET /api/customer/purchases/{merchantId}` (PROTOCOL.md 2.11): the newest first. A card put on file is no purchase. */
export const purchases: Route = {
  method: 'GET',
  path: '/api/customer/purchases/:merchantId',
  handle: async (service, context): Promise<PurchasesResponse> => {
    const { limit = '20', after } = parseRecord(purchasesQuery, context.req.query(), { record: 'The query' })
    const merchantId = context.req.param('merchantId') ?? ''
    const customer = await checkoutCustomer(service, context, { merchantId })
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
  },
}

async function olderThan(database: Database, customer: CheckoutCustomer, after: string) {
  const [row] = isStorableText(after)
    ? await database
        .select({ createdAt: payments.createdAt })
        .from(payments)
        .where(and(eq(payments.paymentId, after), ofCustomer(payments, customer)))
    : []
  if (row === undefined) throw problem('INVALID_REQUEST', 'There is no such purchase.', { issues: ['after'] })
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
