import { type SQL, sql } from 'drizzle-orm'
import { rowsFrom, statement } from './statement.ts'
import { redeems } from './tables/index.ts'

/**
 * Builds the statement that inserts redeems, updates the ones that are known, and returns the keys of the rows that it wrote. Its value
 * is `rows`, from `toRows`.
 *
 * @param mayUpdate which known redeems it updates; `excluded` is the new row
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
          gasFee: sql`excluded.gas_fee`,
          // A third party's attempt has number 0 and does not replace the service's count.
          attempt: sql`greatest(${attempt}, excluded.attempt)`,
          status: sql`excluded.status`,
          hash: sql`excluded.hash`,
          updatedAt: sql`excluded.updated_at`,
        },
        setWhere: mayUpdate,
      })
      .returning({ wallet, nonce })
  })
