import { and, eq } from 'drizzle-orm'
import { ChainReadError } from '../../redeemkit/evm/client.ts'
import type { Database, JournalRow } from '../store/database.ts'
import { transactions } from '../store/tables/index.ts'
import type { RelayerChain } from './relayerChain.ts'

/**
 * Sends a journalled transaction as it was signed. Sending it again is harmless: same nonce, same hash.
 *
 * @returns `sent` when the node has it, `used` when its nonce is taken, `waiting` while its fee is too low; throws what the node
 * said otherwise
 */
export async function broadcast(
  database: Database,
  options: { chain: RelayerChain; row: JournalRow; now: () => number },
): Promise<'sent' | 'used' | 'waiting'> {
  const { chain, row, now } = options
  try {
    await chain.client.request({ method: 'eth_sendRawTransaction', params: [row.raw] })
  } catch (error) {
    const words = wordsOf(error)
    if (/nonce too low|nonce .*(?:lower|already)|already used/i.test(words)) return 'used'
    if (/less than (?:the )?(?:block )?base fee|fee cap|underpriced|FeeTooLow/i.test(words)) return 'waiting'
    if (!/already known|already imported|known transaction|already in (?:the )?pool/i.test(words))
      throw new ChainReadError(`The node did not take transaction ${row.hash}.`, { cause: error })
  }
  await database
    .update(transactions)
    .set({ status: 'broadcast', updatedAt: new Date(now()) })
    .where(and(eq(transactions.id, row.id), eq(transactions.status, 'journalled')))
  return 'sent'
}

function wordsOf(error: unknown): string {
  let words = ''
  let current: unknown = error
  for (let depth = 0; depth < 8 && current instanceof Error; depth++) {
    words += `${current.message}\n`
    current = current.cause
  }
  return words
}
