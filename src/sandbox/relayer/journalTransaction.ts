import { and, eq, sql } from 'drizzle-orm'
import { type Hex, keccak256, type PrivateKeyAccount } from 'viem'
import type { Database } from '../store/database.ts'
import { lanes, transactions } from '../store/tables.ts'
import type { gasPrice } from './gasPrice.ts'
import type { RelayerChain } from './relayerChain.ts'

/**
 * Signs a transaction in its account's lane and writes it down, as one database transaction. Nothing is sent here.
 *
 * A reference that is there already is not journalled again: what was written first is returned.
 */
export async function journalTransaction(
  database: Database,
  options: journalTransaction.Options,
): Promise<JournalRow> {
  const { chain, account, reference, request, price, now } = options
  const lane = and(eq(lanes.chainId, chain.chainId), eq(lanes.sender, account.address))
  // Read outside: the database transaction holds the lane, and must not wait for a node.
  const chainNonce = await chain.client.getTransactionCount({ address: account.address, blockTag: 'latest' })
  return database.transaction(async (work) => {
    await work
      .insert(lanes)
      .values({ chainId: chain.chainId, sender: account.address, nextNonce: chainNonce })
      .onConflictDoNothing()
    const [held] = await work.select().from(lanes).where(lane).for('update')
    const [known] = await work.select().from(transactions).where(eq(transactions.reference, reference))
    if (known !== undefined) return known
    const nonce = Math.max(held?.nextNonce ?? 0, chainNonce)
    const raw = await account.signTransaction({
      type: 'eip1559',
      chainId: chain.chainId,
      nonce,
      to: request.to,
      data: request.data,
      gas: request.gas,
      maxFeePerGas: price.maximum,
      maxPriorityFeePerGas: price.priority,
    })
    const at = new Date(now())
    const [row] = await work
      .insert(transactions)
      .values({
        reference,
        chainId: chain.chainId,
        sender: account.address,
        nonce,
        hash: keccak256(raw),
        raw,
        status: 'journalled',
        createdAt: at,
        updatedAt: at,
      })
      .returning()
    if (row === undefined) throw new Error('The journal did not return the row that it wrote.')
    await work
      .update(lanes)
      .set({ nextNonce: sql`${nonce + 1}` })
      .where(lane)
    await options.also?.(work, row)
    return row
  })
}

export declare namespace journalTransaction {
  type Options = {
    chain: RelayerChain
    account: PrivateKeyAccount
    reference: string
    request: { to: Hex; data: Hex; gas: bigint }
    price: gasPrice.ReturnType
    now: () => number
    /** Writes more in the same database transaction. */
    also?: ((work: DatabaseWork, row: JournalRow) => Promise<void>) | undefined
  }
}

/** A database inside a transaction of its own. */
export type DatabaseWork = Parameters<Parameters<Database['transaction']>[0]>[0]

/** A row of the journal. */
export type JournalRow = typeof transactions.$inferSelect
