import { and, eq, gte, max, type SQL, sql } from 'drizzle-orm'
import { type Hex, keccak256, type PrivateKeyAccount } from 'viem'
import { mostTransactionBytes } from '../../redeemkit/core/limits.ts'
import type { Reference } from '../store/columns.ts'
import type { Database, DatabaseWork, JournalRow } from '../store/database.ts'
import { given, isOneOf, statement } from '../store/statement.ts'
import type { TransactionState } from '../store/states.ts'
import { nonceQueues, transactions } from '../store/tables/index.ts'
import { recallForgotten } from './broadcast.ts'
import type { gasPrice, RelayerChain } from './relayerChain.ts'

/**
 * Signs a transaction with the next nonce of one of the accounts and journals it, in one database transaction. Does not broadcast it. For
 * a known reference, returns the existing row. An account whose nonce queue is not locked is preferred.
 */
export async function journalTransaction(
  database: Database,
  options: journalTransaction.Options,
): Promise<JournalRow> {
  const { chain, accounts } = options
  // Read first, because the database transaction locks the queue and must not wait for a node.
  let counts: readonly Count[] = await Promise.all(
    accounts.map(async (account) => ({ account, chainNonce: await countOn(chain, account.address) })),
  )
  for (;;) {
    const row = await signNext(database, { ...options, counts })
    if (row !== undefined) return row
    counts = await Promise.all(
      counts.map(async (count) => ({ ...count, lost: await lostOf(database, { ...options, ...count }) })),
    )
  }
}

/** @returns undefined if the chain may have lost transactions of the queue; the node must then be queried */
function signNext(
  database: Database,
  options: journalTransaction.Options & { counts: readonly Count[] },
): Promise<JournalRow | undefined> {
  const { chain, reference, now, counts } = options
  return database.transaction(async (work) => {
    const { account, chainNonce, lost, nextNonce } = await lockQueue(work, { chain, counts })
    const ofQueue = inQueue(chain, account.address)
    const isAhead = nextNonce > chainNonce
    if (isAhead && lost === undefined && !(await isOpen(work, ofQueue, chainNonce))) return undefined
    // If another process has written a transaction meanwhile, it has already corrected the queue.
    const restart = isAhead && lost?.newest !== undefined && (await newest(work, ofQueue)) === lost.newest
    if (restart)
      await work
        .update(transactions)
        .set({ status: 'dropped', updatedAt: new Date(now()) })
        .where(and(ofQueue, gte(transactions.nonce, chainNonce), isOneOf(transactions.status, finalOnes)))
    const first = restart ? chainNonce : Math.max(nextNonce, chainNonce)
    let row = await write(work, { ...options, account, nonce: first })
    while (row === undefined) {
      const known = await knownOf(work, reference)
      if (known !== undefined) return known
      // After a reorg, pending transactions keep their nonces, so these nonces are skipped.
      row = await write(work, { ...options, account, nonce: await freeNonce(work, { ofQueue, first }) })
    }
    await options.also?.(work, row)
    return row
  })
}

export declare namespace journalTransaction {
  type Options = {
    chain: RelayerChain
    /** In order of preference. */
    accounts: readonly PrivateKeyAccount[]
    reference: Reference
    request: { to: Hex; data: Hex; gas: bigint }
    price: gasPrice.ReturnType
    now: () => number
    /** Writes additional rows inside the same database transaction. */
    also?: ((work: DatabaseWork, row: JournalRow) => Promise<void>) | undefined
  }
}

const finalOnes: readonly TransactionState[] = ['mined', 'reverted']

type Reader = Pick<Database, 'select'>

type Count = {
  account: PrivateKeyAccount
  chainNonce: number
  /** Undefined until the node is queried. `newest` is the journal's newest row if the chain has lost transactions of this queue. */
  lost?: { newest: number | undefined }
}

const countOn = (chain: RelayerChain, address: Hex) =>
  chain.client.getTransactionCount({ address, blockTag: 'latest' })

/** The condition of the unique index on nonces: dropped transactions have released theirs. */
const holdsNonce = sql`${transactions.status} <> 'dropped'`

const inQueue = ({ chainId }: RelayerChain, sender: Hex) =>
  and(eq(transactions.chainId, chainId), eq(transactions.sender, sender))

/** Locks the nonce queue of one account, preferably a queue that is not locked. */
async function lockQueue(
  work: DatabaseWork,
  { chain, counts }: { chain: RelayerChain; counts: readonly Count[] },
): Promise<Count & { nextNonce: number }> {
  const { chainId } = chain
  const asked = { chainId, senders: counts.map(({ account }) => account.address) }
  for (let select = selectFree; ; select = selectLocked) {
    const [queue] = (await select(work, asked)).flatMap(({ sender, nextNonce }) =>
      counts.flatMap((count) => (count.account.address === sender ? [{ ...count, nextNonce }] : [])),
    )
    if (queue !== undefined) return queue
    // The accounts have no queues yet, or all are locked.
    await work
      .insert(nonceQueues)
      .values(
        counts.map(({ account, chainNonce }) => ({
          chainId,
          sender: account.address,
          nextNonce: chainNonce,
        })),
      )
      .onConflictDoNothing()
  }
}

const selectQueue = (config?: { skipLocked: true }) =>
  statement((database) => {
    const senders = sql`${sql.placeholder('senders')}::text[]`
    return database
      .select()
      .from(nonceQueues)
      .where(
        and(
          eq(nonceQueues.chainId, sql.placeholder('chainId')),
          sql`${nonceQueues.sender} = any(${senders})`,
        ),
      )
      .orderBy(sql`array_position(${senders}, ${nonceQueues.sender})`)
      .limit(1)
      .for('update', config)
  })
const selectFree = selectQueue({ skipLocked: true })
const selectLocked = selectQueue()

/** @returns undefined if the reference or the nonce is already in the journal */
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
  // A node would always reject the transaction, and its nonce would block the queue.
  if (raw.length > 2 + 2 * mostTransactionBytes)
    throw new TransactionTooLarge(
      `The transaction has ${(raw.length - 2) / 2} bytes; nodes accept at most ${mostTransactionBytes}.`,
    )
  const at = new Date(now())
  const row = {
    reference,
    chainId,
    sender: account.address,
    nonce,
    hash: keccak256(raw),
    raw,
    replaced: [],
    status: 'journalled',
    blockNumber: null,
    gasUsed: null,
    createdAt: at,
    updatedAt: at,
  } satisfies Omit<JournalRow, 'id'>
  const [written] = await insertTransaction(work, row)
  return written && { ...row, ...written }
}

const insertTransaction = statement((database) => {
  const value = (name: 'reference' | 'chainId' | 'sender' | 'nonce' | 'hash' | 'raw') =>
    given(transactions[name], name)
  const { id, chainId, sender, nonce } = transactions
  const written = database.$with('written').as(
    database
      .insert(transactions)
      .values({
        reference: value('reference'),
        chainId: value('chainId'),
        sender: value('sender'),
        nonce: value('nonce'),
        hash: value('hash'),
        raw: value('raw'),
        status: 'journalled',
        createdAt: given(transactions.createdAt, 'createdAt'),
        updatedAt: given(transactions.updatedAt, 'updatedAt'),
      })
      .onConflictDoNothing()
      .returning({ id, chainId, sender, nonce }),
  )
  return database
    .with(written)
    .update(nonceQueues)
    .set({ nextNonce: sql`${written.nonce} + 1` })
    .from(written)
    .where(and(eq(nonceQueues.chainId, written.chainId), eq(nonceQueues.sender, written.sender)))
    .returning({ id: written.id })
})

async function knownOf(work: DatabaseWork, reference: Reference): Promise<JournalRow | undefined> {
  const [known] = await work.select().from(transactions).where(eq(transactions.reference, reference))
  return known
}

/** Returns the id of the queue's newest row, or 0 without rows. */
async function newest(database: Reader, ofQueue: SQL | undefined): Promise<number> {
  const [row] = await database
    .select({ id: max(transactions.id) })
    .from(transactions)
    .where(ofQueue)
  return row?.id ?? 0
}

/** Whether the journal still follows the transaction with a nonce. If so, the chain has not lost it. */
async function isOpen(work: Reader, ofQueue: SQL | undefined, nonce: number): Promise<boolean> {
  const next = await heldBy(work, ofQueue, nonce)
  return next !== undefined && !finalOnes.includes(next.status)
}

async function heldBy(work: Reader, ofQueue: SQL | undefined, nonce: number) {
  const [row] = await work
    .select({ status: transactions.status })
    .from(transactions)
    .where(and(ofQueue, eq(transactions.nonce, nonce), holdsNonce))
  return row
}

/**
 * Detects that the chain has lost transactions: the journal lacks the transaction for the chain's next nonce, so later ones would never
 * be mined. Checked twice, because a node may lag by a block.
 */
async function lostOf(
  database: Database,
  options: Pick<journalTransaction.Options, 'chain' | 'now'> & Count,
): Promise<{ newest: number | undefined }> {
  const { chain, account, chainNonce, now } = options
  const notLost = { newest: undefined }
  const ofQueue = inQueue(chain, account.address)
  const before = await newest(database, ofQueue)
  const next = await heldBy(database, ofQueue, chainNonce)
  // The transaction is pending, not lost. `recallForgotten` checks every queue, so busy accounts need no check here.
  if (next !== undefined && !finalOnes.includes(next.status)) return notLost
  if ((await countOn(chain, account.address)) !== chainNonce) return notLost
  if (next === undefined) return { newest: before }
  await recallForgotten(database, { chains: new Map([[chain.chainId, chain]]), now })
  return notLost
}

async function freeNonce(
  database: Reader,
  options: { ofQueue: SQL | undefined; first: number },
): Promise<number> {
  const { ofQueue, first } = options
  const rows = await database
    .select({ nonce: transactions.nonce })
    .from(transactions)
    .where(and(ofQueue, gte(transactions.nonce, first), holdsNonce))
  const taken = new Set(rows.map(({ nonce }) => nonce))
  let nonce = first
  while (taken.has(nonce)) nonce++
  return nonce
}

/** Nothing was written. The service's error response contains the message. */
export class TransactionTooLarge extends Error {}
