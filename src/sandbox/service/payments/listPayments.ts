import { desc, eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import { parseRecord } from '../../../redeemkit/schema/parseRecord.ts'
import { purchasesQuery } from '../../../redeemkit/schema/purchase.ts'
import { payments } from '../../store/tables/index.ts'
import { authorizedMerchant } from '../http/merchant.ts'
import type { Route } from '../http/route.ts'
import { paymentRecord } from './paymentRecord.ts'

/** Without `after`: a page of a person, who looks at the newest. */
const listQuery = z.strictObject({ limit: purchasesQuery.shape.limit })

/** `GET /sandbox/payments`: the merchant's payments, the newest first (PROTOCOL.md 2.10). */
export const listPayments: Route = {
  method: 'GET',
  path: '/sandbox/payments',
  handle: async (service, context) => {
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
  },
}
