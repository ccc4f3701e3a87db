import { and, eq, gte, inArray, max, ne, type SQL, sql } from 'drizzle-orm'
import { type Hex, keccak256, type PrivateKeyAccount } from 'viem'
import type { Database, DatabaseWork, JournalRow } from '../store/database.ts'
import type { Reference } from '../store/reference.ts'
import type { TransactionState } from '../store/states.ts'
import { lanes, transactions } from '../store/tables/index.ts'
import type { gasPrice } from './gasPrice.ts'
import { receiptOf } from './receiptOf.ts'
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
  const { chainId } = chain
  const sender = account.address
  const lane = and(eq(lanes.chainId, chainId), eq(lanes.sender, sender))
  const ofLane = and(eq(transactions.chainId, chainId), eq(transactions.sender, sender))
  // Read outside: the database transaction holds the lane, and must not wait for a node.
  const before = await newest(database, ofLane)
  const chainNonce = await chain.client.getTransactionCount({ address: sender, blockTag: 'latest' })
  const lost = await wasLost(database, { chain, sender, chainNonce })
  return database.transaction(async (work) => {
    await work.insert(lanes).values({ chainId, sender, nextNonce: chainNonce }).onConflictDoNothing()
    const [held] = await work.select().from(lanes).where(lane).for('update')
    const [known] = await work.select().from(transactions).where(eq(transactions.reference, reference))
    if (known !== undefined) return known
    // Unless another one was written meanwhile, which has put the lane right by itself.
    const restart = lost && (await newest(work, ofLane)) === before
    if (restart)
      await work
        .update(transactions)
        .set({ status: 'dropped', updatedAt: new Date(now()) })
        .where(and(ofLane, gte(transactions.nonce, chainNonce), inArray(transactions.status, [...finalOnes])))
    const first = restart ? chainNonce : Math.max(held?.nextNonce ?? 0, chainNonce)
    const nonce = await freeNonce(work, { ofLane, first })
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
    reference: Reference
    request: { to: Hex; data: Hex; gas: bigint }
    price: gasPrice.ReturnType
    now: () => number
    /** Writes more in the same database transaction. */
    also?: ((work: DatabaseWork, row: JournalRow) => Promise<void>) | undefined
  }
}

const finalOnes: readonly TransactionState[] = ['mined', 'reverted']

type Reader = Pick<Database, 'select'>

/** Number of the lane's newest row, 0 when there is none. */
async function newest(database: Reader, ofLane: SQL | undefined): Promise<number> {
  const [row] = await database
    .select({ id: max(transactions.id) })
    .from(transactions)
    .where(ofLane)
  return row?.id ?? 0
}

/**
 * Whether the chain lost what the lane had on it: it was reverted, or killed before it wrote its state down. Whatever
 * came after would wait for the lost ones for ever. Asked twice, because a node can also be a block behind another.
 */
async function wasLost(
  database: Reader,
  options: { chain: RelayerChain; sender: Hex; chainNonce: number },
): Promise<boolean> {
  const { chain, sender, chainNonce } = options
  const { chainId } = chain
  const [held] = await database
    .select()
    .from(lanes)
    .where(and(eq(lanes.chainId, chainId), eq(lanes.sender, sender)))
  if (held === undefined || held.nextNonce <= chainNonce) return false
  const [next] = await database
    .select()
    .from(transactions)
    .where(
      and(
        eq(transactions.chainId, chainId),
        eq(transactions.sender, sender),
        eq(transactions.nonce, chainNonce),
        ne(transactions.status, 'dropped'),
      ),
    )
  if (next !== undefined && !finalOnes.includes(next.status)) return false
  if (next !== undefined && (await receiptOf(chain, next.hash)) !== undefined) return false
  return (await chain.client.getTransactionCount({ address: sender, blockTag: 'latest' })) === chainNonce
}

/** The first nonce that no row of the lane stands at: after a chain went back, what was under way keeps its own. */
async function freeNonce(
  database: Reader,
  options: { ofLane: SQL | undefined; first: number },
): Promise<number> {
  const { ofLane, first } = options
  const rows = await database
    .select({ nonce: transactions.nonce })
    .from(transactions)
    .where(and(ofLane, gte(transactions.nonce, first), ne(transactions.status, 'dropped')))
  const taken = new Set(rows.map(({ nonce }) => nonce))
  let nonce = first
  while (taken.has(nonce)) nonce++
  return nonce
}
