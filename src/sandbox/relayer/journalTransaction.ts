import { and, eq, gte, max, type SQL, sql } from 'drizzle-orm'
import { type Hex, keccak256, type PrivateKeyAccount } from 'viem'
import { mostTransactionBytes } from '../../redeemkit/core/limits.ts'
import type { Database, DatabaseWork, JournalRow } from '../store/database.ts'
import type { Reference } from '../store/reference.ts'
import { given, isOneOf, statement } from '../store/statement.ts'
import type { TransactionState } from '../store/states.ts'
import { nonceQueues, transactions } from '../store/tables/index.ts'
import { recallForgotten } from './recallForgotten.ts'
import type { gasPrice, RelayerChain } from './relayerChain.ts'

/**
 * Signs a transaction in the nonce queue of one of the accounts and writes it to the journal, in one database transaction.
 * Does not send it.
 *
 * The row of a nonce queue has the next nonce and is locked meanwhile. Of several accounts, it uses one whose queue no
 * process holds. For a known reference, it returns the existing row.
 */
export async function journalTransaction(
  database: Database,
  options: journalTransaction.Options,
): Promise<JournalRow> {
  const { chain, accounts } = options
  // Read first: the database transaction locks the queue and must not wait for a node.
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

/** @returns undefined if the chain may have lost transactions of the queue, which only the node can tell */
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
    // Not if another process has written a transaction meanwhile, which corrected the queue.
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
      // After a reorg, pending transactions keep their nonces.
      row = await write(work, { ...options, account, nonce: await freeNonce(work, { ofQueue, first }) })
    }
    await setNextNonce(work, { chainId: chain.chainId, sender: account.address, nextNonce: row.nonce + 1 })
    await options.also?.(work, row)
    return row
  })
}

export declare namespace journalTransaction {
  type Options = {
    chain: RelayerChain
    /** Possible senders, in order of preference. */
    accounts: readonly PrivateKeyAccount[]
    reference: Reference
    request: { to: Hex; data: Hex; gas: bigint }
    price: gasPrice.ReturnType
    now: () => number
    /** Writes additional rows in the same database transaction. */
    also?: ((work: DatabaseWork, row: JournalRow) => Promise<void>) | undefined
  }
}

const finalOnes: readonly TransactionState[] = ['mined', 'reverted']

type Reader = Pick<Database, 'select'>

type Count = {
  account: PrivateKeyAccount
  chainNonce: number
  /** Undefined before the node was asked. `newest` is the journal's newest row if the chain has lost transactions of this queue. */
  lost?: { newest: number | undefined }
}

const countOn = (chain: RelayerChain, address: Hex) =>
  chain.client.getTransactionCount({ address, blockTag: 'latest' })

/** The condition of the unique index on nonces. */
const holdsNonce = sql`${transactions.status} <> 'dropped'`

const inQueue = ({ chainId }: RelayerChain, sender: Hex) =>
  and(eq(transactions.chainId, chainId), eq(transactions.sender, sender))

/** Locks the nonce queue of one account: a free one, otherwise the first. */
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
    // There are no rows yet, or all are locked.
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

const setNextNonce = statement((database) =>
  database
    .update(nonceQueues)
    .set({ nextNonce: given(nonceQueues.nextNonce, 'nextNonce') })
    .where(
      and(
        eq(nonceQueues.chainId, sql.placeholder('chainId')),
        eq(nonceQueues.sender, sql.placeholder('sender')),
      ),
    ),
)

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
  // The node would refuse it forever, and its nonce would block the queue.
  if (raw.length > 2 + 2 * mostTransactionBytes)
    throw new TransactionTooLarge(
      `The transaction has ${(raw.length - 2) / 2} bytes; nodes accept at most ${mostTransactionBytes}.`,
    )
  const sender = account.address
  const at = new Date(now())
  const [row] = await insertTransaction(work, {
    reference,
    chainId,
    sender,
    nonce,
    hash: keccak256(raw),
    raw,
    at,
  })
  return row
}

const insertTransaction = statement((database) => {
  const value = (name: 'reference' | 'chainId' | 'sender' | 'nonce' | 'hash' | 'raw') =>
    given(transactions[name], name)
  return database
    .insert(transactions)
    .values({
      reference: value('reference'),
      chainId: value('chainId'),
      sender: value('sender'),
      nonce: value('nonce'),
      hash: value('hash'),
      raw: value('raw'),
      status: 'journalled',
      createdAt: given(transactions.createdAt, 'at'),
      updatedAt: given(transactions.updatedAt, 'at'),
    })
    .onConflictDoNothing()
    .returning()
})

async function knownOf(work: DatabaseWork, reference: Reference): Promise<JournalRow | undefined> {
  const [known] = await work.select().from(transactions).where(eq(transactions.reference, reference))
  return known
}

/** Id of the queue's newest row; 0 if it has no rows. */
async function newest(database: Reader, ofQueue: SQL | undefined): Promise<number> {
  const [row] = await database
    .select({ id: max(transactions.id) })
    .from(transactions)
    .where(ofQueue)
  return row?.id ?? 0
}

/** Whether the journal still follows the transaction of a nonce. Then the chain has not lost it. */
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
 * Whether the queue is ahead of the chain and the journal has no transaction for the chain's next nonce, so that later ones
 * would wait forever. Checked twice, because a node may lag a block. If the journal has a transaction that the chain
 * forgot, that is sent again instead.
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
  // Pending, not lost. `recallForgotten` asks the node about every queue, so it is not called for each busy account.
  if (next !== undefined && !finalOnes.includes(next.status)) return notLost
  if ((await countOn(chain, account.address)) !== chainNonce) return notLost
  if (next === undefined) return { newest: before }
  await recallForgotten(database, { chains: new Map([[chain.chainId, chain]]), now })
  return notLost
}

/** The first nonce that no row of the queue uses. */
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

/** A transaction that no node would accept; nothing was written. The service's error response has its message. */
export class TransactionTooLarge extends Error {}
