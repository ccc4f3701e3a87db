import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { cardsOnFile, cardTokens, payments, subscriptions } from '../../store/tables/index.ts'
import type { CheckoutCustomer } from '../http/checkoutCustomer.ts'

/**
 * Rows of this customer at this merchant: those of the user id, where the session key names one. A wallet alone finds what was
 * bought without a user id: beside one, a wallet is where things went, and no proof of who bought them.
 */
export function ofCustomer(
  table: typeof payments | typeof cardsOnFile | typeof cardTokens | typeof subscriptions,
  customer: Pick<CheckoutCustomer, 'merchant' | 'userId' | 'wallet' | 'blockchain'>,
): SQL {
  const { merchant, userId, wallet, blockchain } = customer
  const isTheirs =
    userId !== undefined
      ? eq(table.userId, userId)
      : wallet !== undefined && blockchain !== undefined
        ? and(isNull(table.userId), eq(table.wallet, wallet), eq(table.blockchain, blockchain))
        : undefined
  // A session key names at least one of them.
  return and(eq(table.merchantId, merchant.merchantId), isTheirs ?? sql`false`) ?? sql`false`
}
