import { and, eq, inArray } from 'drizzle-orm'
import type { Hex, PrivateKeyAccount, TransactionReceipt } from 'viem'
import type { Database, DatabaseWork, JournalRow } from '../store/database.ts'
import { openTransactionStates } from '../store/states.ts'
import { transactions } from '../store/tables/index.ts'
import { broadcast } from './broadcast.ts'
import type { gasPrice } from './gasPrice.ts'
import { receiptOf } from './receiptOf.ts'
import type { RelayerChain } from './relayerChain.ts'
import { renameRedeems } from './renameRedeems.ts'
import { replaceTransaction } from './replaceTransaction.ts'

/**
 * Looks once after a transaction of the journal: closes its row when the chain says what became of it, sends it again as it
 * stands when the node may have lost it, and with a higher fee when the base fee has risen above it.
 *
 * @returns `open`; or `final`, with the row when it was this call that closed it
 */
export async function followTransaction(
  database: Database,
  options: followTransaction.Options,
): Promise<followTransaction.ReturnType> {
  const { chain, row, now } = options
  const receipt = await landed(chain, row)
  if (receipt !== undefined) return close(database, options, receipt)
  const age = now() - row.updatedAt.getTime()
  const isFresh = age >= 0 && age < stuckAfterMs
  const replaced = isFresh ? undefined : await replaceStuck(database, options)
  if (replaced === undefined && row.status === 'broadcast' && age >= 0 && age < rebroadcastAfterMs)
    return { state: 'open' }
  const current = replaced ?? row
  const outcome = await broadcast(database, { chain, row: current, now })
  if (outcome === 'sent' && current.status === 'journalled') await options.onBroadcast?.(current)
  if (outcome !== 'used') return { state: 'open' }
  // The nonce is taken: by this very transaction, mined a moment ago, or by another one of the account.
  return close(database, { ...options, row: current }, await landed(chain, current))
}

/** The receipt of a transaction, or of what it replaced. */
async function landed(chain: RelayerChain, row: JournalRow): Promise<TransactionReceipt | undefined> {
  const hashes = [row.hash, ...row.replaced.map(({ hash }) => hash)]
  const receipts = await Promise.all(hashes.map((hash) => receiptOf(chain, hash)))
  return receipts.find((receipt) => receipt !== undefined)
}

async function replaceStuck(
  database: Database,
  options: followTransaction.Options,
): Promise<JournalRow | undefined> {
  const { chain, row, now, accountOf, priceOf } = options
  const account = accountOf(row.sender)
  if (account === undefined) return undefined
  return replaceTransaction(database, { chain, row, account, price: await priceOf(), now })
}

export declare namespace followTransaction {
  type Options = {
    chain: RelayerChain
    row: JournalRow
    now: () => number
    /** Who signs for an address; undefined when this process has no key of it. */
    accountOf: (address: Hex) => PrivateKeyAccount | undefined
    /** What the chain asks for now. */
    priceOf: () => Promise<gasPrice.ReturnType>
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

/** Before, a transaction is no reason to ask for the fee. */
const stuckAfterMs = 1_000

/** A node may forget what it has not mined. */
const rebroadcastAfterMs = 5_000

/** Without a receipt the transaction never landed and never will: its nonce was used otherwise. */
async function close(
  database: Database,
  options: followTransaction.Options,
  receipt: TransactionReceipt | undefined,
): Promise<followTransaction.ReturnType> {
  const { row, now, onFinal } = options
  const hash = receipt?.transactionHash ?? row.hash
  const all = [...row.replaced, { hash: row.hash, raw: row.raw }]
  const closed = await database.transaction(async (work) => {
    const [updated] = await work
      .update(transactions)
      .set({
        status: receipt === undefined ? 'dropped' : receipt.status === 'success' ? 'mined' : 'reverted',
        // Of several with different fees, the one that has landed.
        hash,
        raw: all.find((one) => one.hash === hash)?.raw ?? row.raw,
        replaced: all.filter((one) => one.hash !== hash),
        updatedAt: new Date(now()),
        blockNumber: receipt === undefined ? null : Number(receipt.blockNumber),
        gasUsed: receipt?.gasUsed ?? null,
      })
      .where(
        and(
          eq(transactions.id, row.id),
          eq(transactions.hash, row.hash),
          inArray(transactions.status, [...openTransactionStates]),
        ),
      )
      .returning()
    if (updated === undefined) return undefined
    if (hash !== row.hash) await renameRedeems(work, { row, to: hash })
    await onFinal(work, { row: updated, receipt })
    return updated
  })
  return { state: 'final', closed }
}
