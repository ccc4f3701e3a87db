import { and, eq, sql } from 'drizzle-orm'
import { ChainReadError } from '../../redeemkit/evm/client.ts'
import type { Database, JournalRow } from '../store/database.ts'
import { given, statement } from '../store/statement.ts'
import { transactions } from '../store/tables/index.ts'
import type { RelayerChain } from './relayerChain.ts'

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
