import { and, eq } from 'drizzle-orm'
import { ChainReadError } from '../../redeemkit/evm/client.ts'
import type { Database, JournalRow } from '../store/database.ts'
import { transactions } from '../store/tables/index.ts'
import type { RelayerChain } from './relayerChain.ts'

/**
 * Broadcasts a journalled transaction. Repeating this is harmless: the nonce and the hash are the same.
 *
 * @returns `sent` when the node has it, `used` when its nonce is used, `waiting` while its fee is too low
 */
export async function broadcast(
  database: Database,
  options: { chain: RelayerChain; row: JournalRow; now: () => number },
): Promise<'sent' | 'used' | 'waiting'> {
  const { chain, row, now } = options
  try {
    await chain.client.request({ method: 'eth_sendRawTransaction', params: [row.raw] })
  } catch (error) {
    const text = messagesOf(error)
    if (/nonce too low|nonce .*(?:lower|already)|already used/i.test(text)) return 'used'
    if (/less than (?:the )?(?:block )?base fee|fee cap|underpriced|FeeTooLow/i.test(text)) return 'waiting'
    if (!/already known|already imported|known transaction|already in (?:the )?pool/i.test(text))
      throw new ChainReadError(`The node rejected transaction ${row.hash}.`, { cause: error })
  }
  await database
    .update(transactions)
    .set({ status: 'broadcast', updatedAt: new Date(now()) })
    .where(and(eq(transactions.id, row.id), eq(transactions.status, 'journalled')))
  return 'sent'
}

function messagesOf(error: unknown): string {
  let text = ''
  let current: unknown = error
  for (let depth = 0; depth < 8 && current instanceof Error; depth++) {
    text += `${current.message}\n`
    current = current.cause
  }
  return text
}
