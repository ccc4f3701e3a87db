import { and, eq, gte, inArray, ne } from 'drizzle-orm'
import type { Database, JournalRow } from '../store/database.ts'
import { isOneOf } from '../store/statement.ts'
import { bridgeMessages, nonceQueues, redeems, transactions } from '../store/tables/index.ts'
import { broadcast } from './broadcast.ts'
import { type RelayerChain, receiptOf } from './relayerChain.ts'

/**
 * A chain that was killed with the service resumes from its last checkpoint and may have forgotten mined transactions. They are
 * broadcast again, unchanged and in journal order. If one can no longer succeed, for example because its permit has expired, it and its
 * redeem become reverted; a bridge message is retried.
 *
 * @returns the number of forgotten transactions
 */
export async function recallForgotten(
  database: Database,
  options: { chains: ReadonlyMap<number, RelayerChain>; now: () => number },
): Promise<number> {
  const { chains, now } = options
  const forgotten: { chain: RelayerChain; row: JournalRow }[] = []
  for (const { chainId, sender } of await database.select().from(nonceQueues)) {
    const chain = chains.get(chainId)
    if (chain === undefined) continue
    const nonce = await chain.client.getTransactionCount({ address: sender, blockTag: 'latest' })
    const ahead = await database
      .select()
      .from(transactions)
      .where(
        and(
          eq(transactions.chainId, chainId),
          eq(transactions.sender, sender),
          gte(transactions.nonce, nonce),
          isOneOf(transactions.status, ['mined', 'reverted']),
        ),
      )
    // A node that has the receipt is only lagging.
    for (const row of ahead)
      if ((await receiptOf(chain, row.hash)) === undefined) forgotten.push({ chain, row })
  }
  if (forgotten.length === 0) return 0
  const ids = forgotten.map(({ row }) => row.id)
  const hashes = forgotten.map(({ row }) => row.hash)
  const at = new Date(now())
  await database.transaction(async (work) => {
    await work
      .update(transactions)
      .set({ status: 'journalled', updatedAt: at, blockNumber: null, gasUsed: null })
      .where(inArray(transactions.id, ids))
    await work
      .update(redeems)
      .set({ status: 'sending', updatedAt: at })
      .where(and(inArray(redeems.hash, hashes), ne(redeems.status, 'sending')))
    await work
      .update(bridgeMessages)
      .set({ status: 'pending', hash: null })
      .where(inArray(bridgeMessages.hash, hashes))
  })
  forgotten.sort((one, other) => one.row.id - other.row.id)
  for (const one of forgotten) await broadcast(database, { ...one, now })
  return forgotten.length
}
