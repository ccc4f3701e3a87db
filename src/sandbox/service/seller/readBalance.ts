import { and, eq, ne, sql } from 'drizzle-orm'
import type { DatabaseWork } from '../../store/database.ts'
import { payments, proceeds, sellerWithdrawals } from '../../store/tables/index.ts'

/**
 * What a merchant may withdraw, raw units of USDC; below zero after refunds of what was withdrawn already.
 *
 * A refunded part of a payment counts no more, rounded up in the service's favour; nor does a payment that is disputed or lost.
 */
export async function readBalance(work: Pick<DatabaseWork, 'select'>, merchantId: string): Promise<bigint> {
  const [came] = await work
    .select({
      sum: sql<string>`coalesce(sum(case when ${payments.status} in ('disputed', 'lost') then 0 else
        ${proceeds.amount} - coalesce(ceil(${proceeds.amount} * ${payments.refundedCents} / nullif(${payments.chargedCents}, 0)), 0)
        end), 0)`,
    })
    .from(proceeds)
    .innerJoin(payments, eq(payments.paymentId, proceeds.paymentId))
    .where(eq(proceeds.merchantId, merchantId))
  const [went] = await work
    .select({ sum: sql<string>`coalesce(sum(${sellerWithdrawals.amount}), 0)` })
    .from(sellerWithdrawals)
    .where(and(eq(sellerWithdrawals.merchantId, merchantId), ne(sellerWithdrawals.status, 'failed')))
  return wholeOf(came?.sum) - wholeOf(went?.sum)
}

/** PostgreSQL writes a whole numeric with or without decimal zeros. */
function wholeOf(numeric: string | undefined): bigint {
  return BigInt((numeric ?? '0').split('.')[0] ?? '0')
}
