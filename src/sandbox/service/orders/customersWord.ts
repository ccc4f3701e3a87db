import { sql } from 'drizzle-orm'
import type { RedeemEventData } from '../../../redeemkit/schema/webhookEvent.ts'
import type { DatabaseWork } from '../../store/database.ts'
import { intents } from '../../store/tables/index.ts'

type IntentKey = Pick<typeof intents.$inferSelect, 'blockchain' | 'merchantId' | 'wallet' | 'nonce'>

/** What a customer said when a redeem was prepared, as a webhook has it. Nobody has checked it, but for the order key. */
export type CustomersWord = Pick<RedeemEventData, 'purchaseId' | 'webhookInfo'>

/** Reads what customers said of these redeems, by {@link wordKey}. */
export async function customersWord(
  work: Pick<DatabaseWork, 'select'>,
  redeems: readonly IntentKey[],
): Promise<ReadonlyMap<string, CustomersWord>> {
  if (redeems.length === 0) return new Map()
  const keys = redeems.map(({ blockchain, wallet, nonce }) => sql`(${blockchain}, ${wallet}, ${nonce})`)
  const rows = await work
    .select()
    .from(intents)
    .where(sql`(${intents.blockchain}, ${intents.wallet}, ${intents.nonce}) in (${sql.join(keys, sql`, `)})`)
  return new Map(rows.map((row) => [wordKey(row), wordOf(row)]))
}

/** Another merchant's intent may have the same nonce. */
export const wordKey = ({ blockchain, merchantId, wallet, nonce }: IntentKey) =>
  `${blockchain}/${wallet}/${nonce}/${merchantId}`

function wordOf({ purchaseId, webhookInfo }: typeof intents.$inferSelect): CustomersWord {
  return { ...(purchaseId !== null && { purchaseId }), ...(webhookInfo !== null && { webhookInfo }) }
}
