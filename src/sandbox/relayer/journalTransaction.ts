import { and, eq, gte, inArray, max, ne, type SQL, sql } from 'drizzle-orm'
import { type Hex, keccak256, type PrivateKeyAccount } from 'viem'
import type { Database, DatabaseWork, JournalRow } from '../store/database.ts'
import type { Reference } from '../store/reference.ts'
import { given, statement } from '../store/statement.ts'
import type { TransactionState } from '../store/states.ts'
import { nonceQueues, transactions } from '../store/tables/index.ts'
import { recallForgotten } from './recallForgotten.ts'
import { type gasPrice, type RelayerChain, receiptOf } from './relayerChain.ts'

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
  const { chain, reference, now } = options
  // Read first: the database transaction locks the queue and must not wait for a node.
  const counts = await countsOf(database, options)
  return database.transaction(async (work) => {
    const { account, count, nextNonce } = await lockQueue(work, { chain, counts })
    const ofQueue = inQueue(chain, account.address)
    const { chainNonce } = count
    // Unless another transaction was written meanwhile, which has already corrected the queue.
    const restart = count.lost !== undefined && (await newest(work, ofQueue)) === count.lost.newest
    if (restart)
      await work
        .update(transactions)
        .set({ status: 'dropped', updatedAt: new Date(now()) })
        .where(
          and(ofQueue, gte(transactions.nonce, chainNonce), inArray(transactions.status, [...finalOnes])),
        )
    const first = restart ? chainNonce : Math.max(nextNonce, chainNonce)
    let row = await write(work, { ...options, account, nonce: first })
    if (row === undefined) {
      const known = await knownOf(work, reference)
      if (known !== undefined) return known
      // After a reorg, pending transactions keep their nonces.
      row = await write(work, { ...options, account, nonce: await freeNonce(work, { ofQueue, first }) })
    }
    if (row === undefined) throw new Error('The journal did not return the written row.')
    await work
      .update(nonceQueues)
      .set({ nextNonce: sql`${row.nonce + 1}` })
      .where(and(eq(nonceQueues.chainId, chain.chainId), eq(nonceQueues.sender, account.address)))
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
  /** Set if the chain lost transactions of the queue, with the journal's newest row at that time. */
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

const inQueue = ({ chainId }: RelayerChain, sender: Hex) =>
  and(eq(transactions.chainId, chainId), eq(transactions.sender, sender))

/** Locks the nonce queue of one account: a free one, otherwise the first to become free. */
async function lockQueue(
  work: DatabaseWork,
  { chain, counts }: { chain: RelayerChain; counts: readonly Count[] },
): Promise<{ account: PrivateKeyAccount; count: Count; nextNonce: number }> {
  const { chainId } = chain
  const senders = counts.map(({ account }) => account.address)
  const ours = and(eq(nonceQueues.chainId, chainId), inArray(nonceQueues.sender, senders))
  const inOrder = sql`array_position(array[${sql.join(
    senders.map((sender) => sql`${sender}::text`),
    sql`, `,
  )}], ${nonceQueues.sender})`
  const take = async (config?: { skipLocked: true }) =>
    (await work.select().from(nonceQueues).where(ours).orderBy(inOrder).limit(1).for('update', config))[0]
  let held = await take({ skipLocked: true })
  if (held === undefined) {
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
    held = (await take({ skipLocked: true })) ?? (await take())
  }
  const count = counts.find(({ account }) => account.address === held?.sender)
  if (held === undefined || count === undefined) throw new Error('These accounts have no nonce queue.')
  return { account: count.account, count, nextNonce: held.nextNonce }
}

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

/**
 * Whether the queue is ahead of the chain and the journal has no transaction for the chain's next nonce, so that later ones
 * would wait forever. Checked twice, because a node may lag a block. If the journal has a transaction that the chain
 * forgot, that is sent again instead.
 */
async function wasLost(
  database: Database,
  options: { chain: RelayerChain; sender: Hex; chainNonce: number; now: () => number },
): Promise<{ newest: number } | undefined> {
  const { chain, sender, chainNonce, now } = options
  const [held] = await database
    .select({
      nextNonce: nonceQueues.nextNonce,
      next: { status: transactions.status, hash: transactions.hash },
    })
    .from(nonceQueues)
    .leftJoin(
      transactions,
      and(inQueue(chain, sender), eq(transactions.nonce, chainNonce), ne(transactions.status, 'dropped')),
    )
    .where(and(eq(nonceQueues.chainId, chain.chainId), eq(nonceQueues.sender, sender)))
  if (held === undefined || held.nextNonce <= chainNonce) return undefined
  const { next } = held
  if (next !== null && !finalOnes.includes(next.status)) return undefined
  const before = await newest(database, inQueue(chain, sender))
  if (next !== null && (await receiptOf(chain, next.hash)) !== undefined) return undefined
  if ((await countOn(chain, sender)) !== chainNonce) return undefined
  if (next === null) return { newest: before }
  await recallForgotten(database, { chains: new Map([[chain.chainId, chain]]), now })
  return undefined
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
    .where(and(ofQueue, gte(transactions.nonce, first), ne(transactions.status, 'dropped')))
  const taken = new Set(rows.map(({ nonce }) => nonce))
  let nonce = first
  while (taken.has(nonce)) nonce++
  return nonce
}
