import { and, eq, gt, inArray, type SQL, sql } from 'drizzle-orm'
import type { DatabaseWork } from '../../store/database.ts'
import { usdcTransfers } from '../../store/tables/index.ts'
import type { PaidCreations } from './transferChain.ts'

const dayMs = 24 * 3_600_000

/**
 * Counts the Solana transfers that were sent with rent in their price. Some of them found the account there after all: what
 * may have been paid counts as paid.
 */
export async function paidCreations(
  database: Pick<DatabaseWork, 'select'>,
  options: { wallet: string; destination: string; now: number },
): Promise<PaidCreations> {
  const today = gt(usdcTransfers.createdAt, new Date(options.now - dayMs))
  const count = (what: SQL | undefined) => sql`count(*) filter (where ${what})`.mapWith(Number)
  const [counts] = await database
    .select({
      toDestination: count(eq(usdcTransfers.destination, options.destination)),
      byWallet: count(and(eq(usdcTransfers.wallet, options.wallet), today)),
      byService: count(today),
    })
    .from(usdcTransfers)
    .where(
      and(
        eq(usdcTransfers.blockchain, 'solana'),
        inArray(usdcTransfers.status, ['journalled', 'settled']),
        eq(usdcTransfers.paysRent, true),
      ),
    )
  return counts ?? { toDestination: 0, byWallet: 0, byService: 0 }
}
