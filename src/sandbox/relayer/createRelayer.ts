import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Hex, PrivateKeyAccount, TransactionReceipt } from 'viem'
import type { Database } from '../store/database.ts'
import { transactions } from '../store/tables.ts'
import { broadcast } from './broadcast.ts'
import { gasPrice } from './gasPrice.ts'
import { type DatabaseWork, type JournalRow, journalTransaction } from './journalTransaction.ts'
import { receiptOf } from './receiptOf.ts'
import type { RelayerChain } from './relayerChain.ts'

/**
 * Sends transactions exactly once: journal first, then broadcast, then follow to the receipt.
 *
 * After a crash `start` picks up what the journal holds: a transaction that was written but not sent is sent, one that
 * was sent is followed. Nothing is signed twice for one reference.
 */
export function createRelayer(options: createRelayer.Options): Relayer {
  const { database, chains, now, onFinal, onTick, probe, onError, pollIntervalMs = 200 } = options
  const waiting = new Map<string, ((row: JournalRow) => void)[]>()
  let loop: Promise<void> | undefined
  let again = false
  let stopped = false
  let wakeSleeper: (() => void) | undefined

  return { send, wait, wake, start, stop }

  async function send(request: Relayer.Request): Promise<JournalRow> {
    const chain = chainOf(request.chainId)
    const store = await database()
    const price = request.price ?? (await gasPrice(chain))
    const row = await journalTransaction(store, { ...request, chain, price, now })
    await probe?.('journalled', row)
    if (row.status === 'journalled') {
      try {
        await broadcast(store, { chain, row, now })
        await probe?.('broadcast', row)
      } finally {
        // Also when the node did not take it: it is in the journal, and the loop keeps trying.
        wake()
      }
    }
    return row
  }

  /** Resolves when the transaction is final. */
  async function wait(reference: string): Promise<JournalRow> {
    let settle = (_row: JournalRow): void => {}
    const final = new Promise<JournalRow>((resolve) => {
      settle = resolve
    })
    // First this: the transaction may become final while the journal is read.
    waiting.set(reference, [...(waiting.get(reference) ?? []), settle])
    const store = await database()
    const [row] = await store.select().from(transactions).where(eq(transactions.reference, reference))
    if (row !== undefined && isFinal(row)) {
      const others = (waiting.get(reference) ?? []).filter((one) => one !== settle)
      if (others.length === 0) waiting.delete(reference)
      else waiting.set(reference, others)
      return row
    }
    wake()
    return final
  }

  function wake(): void {
    if (stopped) return
    again = true
    wakeSleeper?.()
    loop ??= run().finally(() => {
      loop = undefined
      // Somebody called while the last pass was ending.
      if (again) wake()
    })
  }

  async function start(): Promise<void> {
    stopped = false
    wake()
  }

  async function stop(): Promise<void> {
    stopped = true
    wakeSleeper?.()
    await loop
  }

  async function run(): Promise<void> {
    while (!stopped) {
      again = false
      let unfinished = true
      try {
        unfinished = await followAll()
      } catch (error) {
        onError?.(error)
      }
      if (stopped) return
      if (!unfinished && !again) return
      if (unfinished) await sleep(pollIntervalMs)
    }
  }

  function sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      // A service that has nothing else to do may end; the journal keeps what is open.
      timer.unref()
      wakeSleeper = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** One pass over everything open, in the order of the lanes. @returns whether something stays open */
  async function followAll(): Promise<boolean> {
    const store = await database()
    const moreWork = await onTick(store)
    const open = await store
      .select()
      .from(transactions)
      .where(inArray(transactions.status, ['journalled', 'broadcast']))
      .orderBy(asc(transactions.chainId), asc(transactions.nonce))
    let unfinished = moreWork
    for (const row of open) {
      if (stopped) return true
      const chain = chains.get(row.chainId)
      // A chain that this service no longer has: its rows wait.
      if (chain === undefined) continue
      try {
        if (!(await follow(store, chain, row))) unfinished = true
      } catch (error) {
        unfinished = true
        onError?.(error)
      }
    }
    return unfinished
  }

  async function follow(store: Database, chain: RelayerChain, row: JournalRow): Promise<boolean> {
    const receipt = await receiptOf(chain, row.hash as Hex) // the journal holds a transaction hash
    if (receipt !== undefined) {
      await finish(store, row, { status: receipt.status === 'success' ? 'mined' : 'reverted', receipt })
      return true
    }
    const age = now() - row.updatedAt.getTime()
    if (row.status === 'broadcast' && age >= 0 && age < rebroadcastAfterMs) return false
    const outcome = await broadcast(store, { chain, row, now })
    if (outcome === 'sent') {
      if (row.status === 'journalled') await probe?.('broadcast', row)
      return false
    }
    // The nonce is taken: by this very transaction, mined a moment ago, or by another one of the account.
    const late = await receiptOf(chain, row.hash as Hex) // the journal holds a transaction hash
    await finish(
      store,
      row,
      late === undefined
        ? { status: 'dropped', receipt: undefined }
        : { status: late.status === 'success' ? 'mined' : 'reverted', receipt: late },
    )
    return true
  }

  async function finish(store: Database, row: JournalRow, outcome: Outcome): Promise<void> {
    const { status, receipt } = outcome
    const final = await store.transaction(async (work) => {
      const [updated] = await work
        .update(transactions)
        .set({
          status,
          updatedAt: new Date(now()),
          blockNumber: receipt === undefined ? null : Number(receipt.blockNumber),
          gasUsed: receipt?.gasUsed ?? null,
        })
        .where(and(eq(transactions.id, row.id), inArray(transactions.status, ['journalled', 'broadcast'])))
        .returning()
      if (updated === undefined) return undefined
      await onFinal(work, { row: updated, receipt })
      return updated
    })
    if (final === undefined) return
    again = true
    for (const resolve of waiting.get(row.reference) ?? []) resolve(final)
    waiting.delete(row.reference)
  }

  function chainOf(chainId: number): RelayerChain {
    const chain = chains.get(chainId)
    if (chain === undefined) throw new Error(`The relayer has no chain ${chainId}.`)
    return chain
  }
}

export declare namespace createRelayer {
  type Options = {
    database: () => Promise<Database>
    chains: ReadonlyMap<number, RelayerChain>
    now: () => number
    /** Told once of each transaction that became final, inside the database transaction that writes it down. */
    onFinal: (
      work: DatabaseWork,
      final: { row: JournalRow; receipt: TransactionReceipt | undefined },
    ) => Promise<void>
    /** Called at the head of every pass: sends what is due. @returns whether something stays due */
    onTick: (database: Database) => Promise<boolean>
    /** For tests of crashes: called after each step, before the next. */
    probe?: ((step: RelayerStep, row: JournalRow) => void | Promise<void>) | undefined
    onError?: ((error: unknown) => void) | undefined
    pollIntervalMs?: number | undefined
  }
}

export type RelayerStep = 'journalled' | 'broadcast'

export type Relayer = {
  /** Journals and broadcasts. A reference that is known is not sent again: its row is returned. */
  send: (request: Relayer.Request) => Promise<JournalRow>
  /** Resolves when the transaction with this reference is mined, reverted or dropped. */
  wait: (reference: string) => Promise<JournalRow>
  /** Looks after everything open, soon. */
  wake: () => void
  /** Picks up what a former process left open. */
  start: () => Promise<void>
  stop: () => Promise<void>
}

export declare namespace Relayer {
  type Request = {
    chainId: number
    account: PrivateKeyAccount
    /** Unique name of what this transaction does. */
    reference: string
    request: { to: Hex; data: Hex; gas: bigint }
    price?: gasPrice.ReturnType | undefined
    also?: journalTransaction.Options['also']
  }
}

/** A node may forget what it has not mined. */
const rebroadcastAfterMs = 5_000

type Outcome = { status: 'mined' | 'reverted' | 'dropped'; receipt: TransactionReceipt | undefined }

function isFinal(row: JournalRow): boolean {
  return row.status !== 'journalled' && row.status !== 'broadcast'
}
