import { type SQL, sql } from 'drizzle-orm'
import { rowsFrom, statement } from './statement.ts'
import { redeems } from './tables/index.ts'

/**
 * Builds the statement that inserts redeems, or updates the known ones with their newest attempt. It returns the keys of the rows that it
 * has written. Its value `rows` is of `toRows`.
 *
 * @param mayUpdate which known rows it updates; `excluded` is the new row
 */
export const writeRedeems = (mayUpdate: SQL | undefined) =>
  statement((database) => {
    const { blockchain, wallet, nonce, attempt } = redeems
    return database
      .insert(redeems)
      .select(rowsFrom(redeems, 'rows'))
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
