import { and, eq } from 'drizzle-orm'
import type { Hex } from 'viem'
import { intents, redeems } from '../../store/tables/index.ts'
import type { EvmCustomer } from '../http/customer.ts'
import type { Service } from '../service.ts'

/** What a nonce stands for, as it was written down when the customer asked for it. */
export type StoredIntent = typeof intents.$inferSelect
export type StoredRedeem = typeof redeems.$inferSelect

/** One nonce of one customer. */
export type CustomerNonce = EvmCustomer & { nonce: Hex }

export async function findRedeem(
  service: Pick<Service, 'database'>,
  { chain, wallet, nonce }: CustomerNonce,
): Promise<StoredRedeem | undefined> {
  const database = await service.database()
  const [row] = await database
    .select()
    .from(redeems)
    .where(
      and(eq(redeems.blockchain, chain.blockchain), eq(redeems.wallet, wallet), eq(redeems.nonce, nonce)),
    )
  return row
}

/** Writes down the gas that a submit was found to need: a second preparation quotes by it. */
export async function rememberGas(
  service: Pick<Service, 'database'>,
  key: CustomerNonce,
  gasNeeded: bigint,
): Promise<void> {
  const database = await service.database()
  await database.update(intents).set({ gasNeeded }).where(intentIs(key))
}

/** The intent's row of a nonce. */
export function intentIs({ chain, wallet, nonce }: CustomerNonce) {
  return and(eq(intents.blockchain, chain.blockchain), eq(intents.wallet, wallet), eq(intents.nonce, nonce))
}
