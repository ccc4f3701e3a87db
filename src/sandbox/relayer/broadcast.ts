import { and, eq, gte, inArray, ne, sql } from 'drizzle-orm'
import { ChainReadError } from '../../redeemkit/evm/client.ts'
import type { Database, JournalRow } from '../store/database.ts'
import { given, isOneOf, statement } from '../store/statement.ts'
import { bridgeMessages, nonceQueues, redeems, transactions } from '../store/tables/index.ts'
import { type RelayerChain, receiptOf } from './relayerChain.ts'

type Journalled = { chain: RelayerChain; row: JournalRow }

/**
 * Broadcasts a journalled transaction. Repeating the broadcast is safe, because nonce and hash stay the same.
 *
 * @returns `sent` if the node has the transaction, `used` if its nonce was already used, `waiting` if its fee is too low
 */
export async function broadcast(
  database: Database,
  options: Journalled & { now: () => number },
): Promise<'sent' | 'used' | 'waiting'> {
  const outcome = await sendRaw(options)
  if (outcome === 'sent') {
    const { row, now } = options
    await setBroadcast(database, { id: row.id, at: new Date(now()) })
  }
  return outcome
}

/** Broadcasts a transaction without updating the journal. */
export async function sendRaw({ chain, row }: Journalled): Promise<'sent' | 'used' | 'waiting'> {
  try {
    await chain.client.request({ method: 'eth_sendRawTransaction', params: [row.raw] })
    return 'sent'
  } catch (error) {
    // The text includes the node's own message.
    const text = String(error)
    if (isUsed.test(text)) return 'used'
    if (isTooCheap.test(text)) return 'waiting'
    if (isKnown.test(text)) return 'sent'
    throw new ChainReadError(`The node rejected transaction ${row.hash}.`, { cause: error })
  }
}

const isUsed = /nonce (?:is )?too low|nonce .*lower|already (?:been )?used|OldNonce/i
const isTooCheap =
  /(?:less than|below) (?:the )?(?:block |current )?base fee|fee cap|underpriced|FeeTooLow|ReplacementNotAllowed/i
const isKnown = /already ?known|already imported|known transaction|already in (?:the )?pool/i

/** Marks a transaction as broadcast, so that the next pass does not broadcast it again. */
const setBroadcast = statement((database) =>
  database
    .update(transactions)
    .set({ status: 'broadcast', updatedAt: given(transactions.updatedAt, 'at') })
    .where(and(eq(transactions.id, sql.placeholder('id')), eq(transactions.status, 'journalled'))),
)

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
