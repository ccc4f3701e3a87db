import { type SQL, sql } from 'drizzle-orm'
import { rowsFrom, statement } from './statement.ts'
import { redeems } from './tables/index.ts'

/**
 * Inserts redeems or updates existing ones, and returns the keys of the rows that it wrote. Pass the result of `toRows` as `rows`. In
 * `mayUpdate`, the condition for updating an existing row, `excluded` is the new row.
 */
export const writeRedeems = (mayUpdate: SQL) =>
  statement((database) => {
    const { blockchain, wallet, nonce, attempt } = redeems
    return database
      .insert(redeems)
      .select(rowsFrom(redeems))
      .onConflictDoUpdate({
        target: [blockchain, wallet, nonce],
        set: {
          // A random nonce does not commit to merchant and amounts, so another redeem with it may change them.
          merchantId: sql`excluded.merchant_id`,
          shape: sql`excluded.kind`,
          amount: sql`excluded.amount`,
          usdcAmount: sql`excluded.usdc_amount`,
          gasFee: sql`excluded.gas_fee`,
          // A redeem that a third party relayed has attempt 0, which must not reset the service's count.
          attempt: sql`greatest(${attempt}, excluded.attempt)`,
          status: sql`excluded.status`,
          hash: sql`excluded.hash`,
          updatedAt: sql`excluded.updated_at`,
        },
        setWhere: mayUpdate,
      })
      .returning({ wallet, nonce })
  })
