import { and, eq, gte, inArray, max, ne, type SQL, sql } from 'drizzle-orm'
import { type Hex, keccak256, type PrivateKeyAccount } from 'viem'
import type { Database, DatabaseWork, JournalRow } from '../store/database.ts'
import type { Reference } from '../store/reference.ts'
import type { TransactionState } from '../store/states.ts'
import { lanes, transactions } from '../store/tables/index.ts'
import type { gasPrice } from './gasPrice.ts'
import { recallForgotten } from './recallForgotten.ts'
import { receiptOf } from './receiptOf.ts'
import type { RelayerChain } from './relayerChain.ts'

/**
 * Signs a transaction in the lane of one of the accounts and writes it down, as one database transaction. Nothing is sent
 * here.
 *
 * A lane's row says which nonce comes next, and is locked meanwhile. Of several accounts one is taken whose lane nobody holds,
 * in this process or in another. A reference that is there already is not journalled again: what was written first is
 * returned.
 */
export async function journalTransaction(
  database: Database,
  options: journalTransaction.Options,
): Promise<JournalRow> {
  const { chain, reference, now } = options
  // Read outside: the database transaction holds the lane, and must not wait for a node.
  const counts = await countsOf(database, options)
  return database.transaction(async (work) => {
    const { account, count, nextNonce } = await takeLane(work, { chain, counts })
    const ofLane = laneOf(chain, account.address)
    const { chainNonce } = count
    // Unless another one was written meanwhile, which has put the lane right by itself.
    const restart = count.lost !== undefined && (await newest(work, ofLane)) === count.lost.newest
    if (restart)
      await work
        .update(transactions)
        .set({ status: 'dropped', updatedAt: new Date(now()) })
        .where(and(ofLane, gte(transactions.nonce, chainNonce), inArray(transactions.status, [...finalOnes])))
    const first = restart ? chainNonce : Math.max(nextNonce, chainNonce)
    let row = await write(work, { ...options, account, nonce: first })
    if (row === undefined) {
      const known = await knownOf(work, reference)
      if (known !== undefined) return known
      // After a chain went back, what was under way keeps its own place.
      row = await write(work, { ...options, account, nonce: await freeNonce(work, { ofLane, first }) })
    }
    if (row === undefined) throw new Error('The journal did not return the row that it wrote.')
    await work
      .update(lanes)
      .set({ nextNonce: sql`${row.nonce + 1}` })
      .where(and(eq(lanes.chainId, chain.chainId), eq(lanes.sender, account.address)))
    await options.also?.(work, row)
    return row
  })
}

export declare namespace journalTransaction {
  type Options = {
    chain: RelayerChain
    /** Who may send it; the first ones are preferred. */
    accounts: readonly PrivateKeyAccount[]
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

/** What the chain has of an account's transactions. */
type Count = {
  account: PrivateKeyAccount
  chainNonce: number
  /** The chain lost what the lane had on it; with the journal's newest row of that time. */
  lost: { newest: number } | undefined
}

function countsOf(
  database: Database,
  { chain, accounts, now }: journalTransaction.Options,
): Promise<Count[]> {
  return Promise.all(
    accounts.map(async (account) => {
      const chainNonce = await countOn(chain, account.address)
      return {
        account,
        chainNonce,
        lost: await wasLost(database, { chain, sender: account.address, chainNonce, now }),
      }
    }),
  )
}

const countOn = (chain: RelayerChain, address: Hex) =>
  chain.client.getTransactionCount({ address, blockTag: 'latest' })

const laneOf = ({ chainId }: RelayerChain, sender: Hex) =>
  and(eq(transactions.chainId, chainId), eq(transactions.sender, sender))

/** Locks the lane of one of the accounts: one that is free, or else the first that becomes so. */
async function takeLane(
  work: DatabaseWork,
  { chain, counts }: { chain: RelayerChain; counts: readonly Count[] },
): Promise<{ account: PrivateKeyAccount; count: Count; nextNonce: number }> {
  const { chainId } = chain
  const senders = counts.map(({ account }) => account.address)
  const ours = and(eq(lanes.chainId, chainId), inArray(lanes.sender, senders))
  const inOrder = sql`array_position(array[${sql.join(
    senders.map((sender) => sql`${sender}::text`),
    sql`, `,
  )}], ${lanes.sender})`
  const take = async (config?: { skipLocked: true }) =>
    (await work.select().from(lanes).where(ours).orderBy(inOrder).limit(1).for('update', config))[0]
  let held = await take({ skipLocked: true })
  if (held === undefined) {
    // None yet, or all of them are at work.
    await work
      .insert(lanes)
      .values(
        counts.map(({ account, chainNonce }) => ({
          chainId,
          sender: account.address,
          nextNonce: chainNonce,
        })),
      )
      .onConflictDoNothing()
    held = (await take({ skipLocked: true })) ?? (await take())
  }
  const count = counts.find(({ account }) => account.address === held?.sender)
  if (held === undefined || count === undefined) throw new Error('There is no lane of these accounts.')
  return { account: count.account, count, nextNonce: held.nextNonce }
}

/** @returns undefined when the reference is known, or the place is taken */
async function write(
  work: DatabaseWork,
  options: journalTransaction.Options & { account: PrivateKeyAccount; nonce: number },
): Promise<JournalRow | undefined> {
  const { chain, account, nonce, reference, request, price, now } = options
  const { chainId } = chain
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId,
    nonce,
    ...request,
    maxFeePerGas: price.maximum,
    maxPriorityFeePerGas: price.priority,
  })
  const at = new Date(now())
  const [row] = await work
    .insert(transactions)
    .values({
      reference,
      chainId,
      sender: account.address,
      nonce,
      hash: keccak256(raw),
      raw,
      status: 'journalled',
      createdAt: at,
      updatedAt: at,
    })
    .onConflictDoNothing()
    .returning()
  return row
}

async function knownOf(work: DatabaseWork, reference: Reference): Promise<JournalRow | undefined> {
  const [known] = await work.select().from(transactions).where(eq(transactions.reference, reference))
  return known
}

/** Number of the lane's newest row, 0 when there is none. */
async function newest(database: Reader, ofLane: SQL | undefined): Promise<number> {
  const [row] = await database
    .select({ id: max(transactions.id) })
    .from(transactions)
    .where(ofLane)
  return row?.id ?? 0
}

/**
 * Whether the lane is ahead of the chain with nothing in the journal at the chain's next place: whatever came after would wait for
 * ever. Asked twice, because a node can also be a block behind another. What the journal has there and the chain has forgotten is
 * sent again as it stands: then nothing is lost.
 */
async function wasLost(
  database: Database,
  options: { chain: RelayerChain; sender: Hex; chainNonce: number; now: () => number },
): Promise<{ newest: number } | undefined> {
  const { chain, sender, chainNonce, now } = options
  const [held] = await database
    .select({ nextNonce: lanes.nextNonce, next: { status: transactions.status, hash: transactions.hash } })
    .from(lanes)
    .leftJoin(
      transactions,
      and(laneOf(chain, sender), eq(transactions.nonce, chainNonce), ne(transactions.status, 'dropped')),
    )
    .where(and(eq(lanes.chainId, chain.chainId), eq(lanes.sender, sender)))
  if (held === undefined || held.nextNonce <= chainNonce) return undefined
  const { next } = held
  if (next !== null && !finalOnes.includes(next.status)) return undefined
  const before = await newest(database, laneOf(chain, sender))
  if (next !== null && (await receiptOf(chain, next.hash)) !== undefined) return undefined
  if ((await countOn(chain, sender)) !== chainNonce) return undefined
  if (next === null) return { newest: before }
  await recallForgotten(database, { chains: new Map([[chain.chainId, chain]]), now })
  return undefined
}

/** The first nonce that no row of the lane stands at. */
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
