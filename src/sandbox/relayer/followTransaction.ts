import { and, eq, inArray } from 'drizzle-orm'
import type { TransactionReceipt } from 'viem'
import type { Database, DatabaseWork, JournalRow } from '../store/database.ts'
import { openTransactionStates } from '../store/states.ts'
import { transactions } from '../store/tables/index.ts'
import { broadcast } from './broadcast.ts'
import { receiptOf } from './receiptOf.ts'
import type { RelayerChain } from './relayerChain.ts'

/**
 * Looks once after a transaction of the journal: closes its row when the chain says what became of it, and sends it again
 * as it stands when the node may have lost it.
 *
 * @returns `open`; or `final`, with the row when it was this call that closed it
 */
export async function followTransaction(
  database: Database,
  options: followTransaction.Options,
): Promise<followTransaction.ReturnType> {
  const { chain, row, now } = options
  const receipt = await receiptOf(chain, row.hash)
  if (receipt !== undefined) return close(database, options, receipt)
  const age = now() - row.updatedAt.getTime()
  if (row.status === 'broadcast' && age >= 0 && age < rebroadcastAfterMs) return { state: 'open' }
  const outcome = await broadcast(database, { chain, row, now })
  if (outcome === 'sent') {
    if (row.status === 'journalled') await options.onBroadcast?.(row)
    return { state: 'open' }
  }
  // The nonce is taken: by this very transaction, mined a moment ago, or by another one of the account.
  return close(database, options, await receiptOf(chain, row.hash))
}

export declare namespace followTransaction {
  type Options = {
    chain: RelayerChain
    row: JournalRow
    now: () => number
    /** Told when a transaction was sent for the first time. */
    onBroadcast: ((row: JournalRow) => void | Promise<void>) | undefined
    onFinal: OnFinal
  }
  type ReturnType = { state: 'open' } | { state: 'final'; closed: JournalRow | undefined }
}

/** Told once of each transaction that became final, inside the database transaction that writes it down. */
export type OnFinal = (
  work: DatabaseWork,
  final: { row: JournalRow; receipt: TransactionReceipt | undefined },
) => Promise<void>

/** A node may forget what it has not mined. */
const rebroadcastAfterMs = 5_000

/** Without a receipt the transaction never landed and never will: its nonce was used otherwise. */
async function close(
  database: Database,
  options: followTransaction.Options,
  receipt: TransactionReceipt | undefined,
): Promise<followTransaction.ReturnType> {
  const { row, now, onFinal } = options
  const closed = await database.transaction(async (work) => {
    const [updated] = await work
      .update(transactions)
      .set({
        status: receipt === undefined ? 'dropped' : receipt.status === 'success' ? 'mined' : 'reverted',
        updatedAt: new Date(now()),
        blockNumber: receipt === undefined ? null : Number(receipt.blockNumber),
        gasUsed: receipt?.gasUsed ?? null,
      })
      .where(and(eq(transactions.id, row.id), inArray(transactions.status, [...openTransactionStates])))
      .returning()
    if (updated !== undefined) await onFinal(work, { row: updated, receipt })
    return updated
  })
  return { state: 'final', closed }
}
