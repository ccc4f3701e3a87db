import { desc, eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import { parseRecord } from '../../../redeemkit/schema/parseRecord.ts'
import { redeems } from '../../store/tables/index.ts'
import { authorizedMerchant } from '../http/merchant.ts'
import type { Route } from '../http/route.ts'
import type { StoredRedeem } from '../redeem/redeemRows.ts'
import { type RedeemInCall, redeemCalls } from './redeemCalls.ts'

const limit = 'expected a whole number from 1 to 100'
const query = z.strictObject({ limit: z.optional(z.string().check(z.regex(/^(?:[1-9]\d?|100)$/, limit))) })

/** `GET /sandbox/redeems?limit=`: the merchant's redeems, the newest first (PROTOCOL.md 2.10). */
export const redeemList: Route = {
  method: 'GET',
  path: '/sandbox/redeems',
  handle: async (service, context) => {
    const { limit = '20' } = parseRecord(query, context.req.query(), { record: 'The query' })
    const { merchantId } = await authorizedMerchant(service, context)
    const database = await service.database()
    const rows = await database
      .select()
      .from(redeems)
      .where(eq(redeems.merchantId, merchantId))
      .orderBy(desc(redeems.createdAt))
      .limit(Number(limit))
    const calls = await redeemCalls(service, rows)
    return { redeems: rows.map((row, index) => redeemRecord(row, calls[index])) }
  },
}

function redeemRecord(row: StoredRedeem, call: RedeemInCall | undefined): object {
  const { blockchain, wallet, nonce, shape, amount, usdcAmount, gasFee, status, attempt, hash } = row
  const { target, data } = call?.request.settlement ?? {}
  return {
    blockchain,
    wallet,
    nonce,
    shape,
    ...(target !== undefined && { target }),
    ...(data !== undefined && data !== '0x' && { selector: data.slice(0, 10) }),
    amount: `${amount}`,
    usdcAmount: `${usdcAmount}`,
    gasFee: `${gasFee}`,
    status,
    attempt,
    hash,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
