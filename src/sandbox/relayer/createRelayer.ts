import { asc, eq, inArray } from 'drizzle-orm'
import type { Hex, PrivateKeyAccount } from 'viem'
import type { Reference } from '../store/columns.ts'
import type { Database, JournalRow } from '../store/database.ts'
import { isOneOf, statement } from '../store/statement.ts'
import { openTransactionStates } from '../store/states.ts'
import { transactions } from '../store/tables/index.ts'
import { recallForgotten, sendRaw } from './broadcast.ts'
import { createLoop } from './createLoop.ts'
import { followTransaction, type OnFinal, rebroadcastAfterMs } from './followTransaction.ts'
import { journalTransaction } from './journalTransaction.ts'
import { gasPrice, type RelayerChain, type RelayerStep } from './relayerChain.ts'

/**
 * Sends each transaction exactly once, and never uses two nonces for one reference. After a crash, `start` resumes from the journal: it
 * broadcasts journalled transactions and follows those already broadcast.
 */
export function createRelayer(options: createRelayer.Options): Relayer {
  const { database, chains, now, accountOf, onFinal, onTick, probe, onError, pollIntervalMs = 200 } = options
  const { isShared = async () => false } = options
  const waiting = new Map<number, ((row: JournalRow) => void)[]>()
  /** Rows that this process sent in the last seconds, by id. */
  const own = new Set<number>()
  /** Hashes that the node accepted in the last seconds. Most are mined soon, so the journal records only repeated broadcasts. */
  const sent = new Set<Hex>()
  /** Ids of rows that wait for confirmations and were checked within the last second. */
  const resting = new Set<number>()
  let recalled = { at: Number.NEGATIVE_INFINITY, done: Promise.resolve(0) }
  let nextRecall: NodeJS.Timeout | undefined
  const loop = createLoop({ pass: followAll, pauseMs: pollIntervalMs, spacingMs: 50, onError })

  return { send, wait, wake: loop.wake, start, stop: loop.stop }

  async function start(): Promise<void> {
    await recall()
    loop.start()
  }

  /** Runs before anything new is signed, and once per second, because a reorg can also happen while the relayer is idle. */
  async function recall(): Promise<void> {
    const at = performance.now()
    if (at - recalled.at >= recallEveryMs - slackMs) {
      clearTimeout(nextRecall)
      nextRecall = setTimeout(loop.wake, recallEveryMs).unref()
      recalled = { at, done: database().then((store) => recallForgotten(store, { chains, now })) }
    }
    await recalled.done.catch((error: unknown) => {
      recalled.at = Number.NEGATIVE_INFINITY
      onError?.(error)
    })
  }

  async function send(request: Relayer.Request): Promise<JournalRow> {
    const chain = chains.get(request.chainId)
    if (chain === undefined) throw new Error(`The relayer has no chain ${request.chainId}.`)
    const store = await database()
    const price = request.price ?? (await gasPrice(chain))
    const { account, ...rest } = request
    const accounts = Array.isArray(account) ? account : [account]
    const row = await journalTransaction(store, { ...rest, accounts, chain, price, now })
    keep(own, row.id, othersMs)
    await probe?.('journalled', row)
    if (row.status === 'journalled' && !sent.has(row.hash)) {
      try {
        if ((await sendRaw({ chain, row })) === 'sent') keep(sent, row.hash, rebroadcastAfterMs)
        await probe?.('broadcast', row)
      } finally {
        // Wakes the loop even after a failed broadcast, which the loop repeats from the journal.
        loop.nudge()
      }
    }
    return row
  }

  async function wait({ id }: Pick<JournalRow, 'id'>): Promise<JournalRow> {
    // Registered first, because the transaction may become final while the row is read.
    const final = new Promise<JournalRow>((resolve) => {
      waiting.set(id, [...(waiting.get(id) ?? []), resolve])
    })
    const store = await database()
    for (const row of await store.select().from(transactions).where(eq(transactions.id, id)))
      if (!isOpen(row)) notify(row)
    loop.wake()
    return final
  }

  /** Runs one pass over all pending transactions, in nonce order. Returns whether any remain pending. */
  async function followAll(): Promise<boolean> {
    await recall()
    const store = await database()
    let unfinished = await onTick(store)
    const open = await selectOpen(store, {})
    const priceOf = pricesOnce()
    const shared = await isShared()
    for (const stored of open) {
      const row = sent.has(stored.hash) ? { ...stored, status: 'broadcast' as const } : stored
      if (loop.isStopped()) return true
      // After `othersMs`, this process follows the other process's transaction too.
      if (shared && isOthers(row)) continue
      const chain = chains.get(row.chainId)
      // The service no longer has this chain, so its rows stay pending.
      if (chain === undefined) continue
      if (resting.has(row.id)) {
        unfinished = true
        continue
      }
      try {
        const onBroadcast = (sent: JournalRow) => probe?.('broadcast', sent)
        const outcome = await followTransaction(store, {
          chain,
          row,
          now,
          accountOf,
          priceOf: () => priceOf(chain),
          onBroadcast,
          onFinal,
        })
        if (outcome.state !== 'final') unfinished = true
        else if (outcome.closed !== undefined) notify(outcome.closed)
        if (outcome.state === 'used') keep(resting, row.id, restMs)
      } catch (error) {
        unfinished = true
        onError?.(error)
      }
    }
    await notifyClosedElsewhere(store)
    return unfinished
  }

  /** Whether another process sent the row's transaction in the last few seconds, and so is still following it. */
  function isOthers({ id, createdAt }: JournalRow): boolean {
    const age = now() - createdAt.getTime()
    return age >= 0 && age < othersMs && !own.has(id) && !waiting.has(id)
  }

  async function notifyClosedElsewhere(store: Database): Promise<void> {
    const ids = [...waiting.keys()]
    if (ids.length === 0) return
    for (const row of await store.select().from(transactions).where(inArray(transactions.id, ids)))
      if (!isOpen(row)) notify(row)
  }

  function notify(closed: JournalRow): void {
    loop.wake()
    for (const resolve of waiting.get(closed.id) ?? []) resolve(closed)
    waiting.delete(closed.id)
  }
}

/** Time for which only the process that sent a transaction follows it. Most transactions are mined by then. */
const othersMs = 2_000

const recallEveryMs = 1_000
/** Pause between checks of a transaction that waits for confirmations, which take many blocks. */
const restMs = 1_000
/** A pass may run this much early. Otherwise another pass would be needed right after it. */
const slackMs = 100

const selectOpen = statement((database) =>
  database
    .select()
    .from(transactions)
    .where(isOneOf(transactions.status, openTransactionStates))
    .orderBy(asc(transactions.chainId), asc(transactions.nonce)),
)

function keep<key>(keys: Set<key>, key: key, ms: number): void {
  keys.add(key)
  setTimeout(() => keys.delete(key), ms).unref()
}

function pricesOnce(): (chain: RelayerChain) => ReturnType<typeof gasPrice> {
  const asked = new Map<RelayerChain, ReturnType<typeof gasPrice>>()
  return (chain) => {
    const price = asked.get(chain) ?? gasPrice(chain)
    asked.set(chain, price)
    return price
  }
}

export declare namespace createRelayer {
  type Options = {
    database: () => Promise<Database>
    /** Whether other processes may also send and follow transactions. If so, call `wake` every few seconds. Default: no. */
    isShared?: (() => Promise<boolean>) | undefined
    chains: ReadonlyMap<number, RelayerChain>
    now: () => number
    /** Needed to replace a stuck transaction. */
    accountOf: (address: Hex) => PrivateKeyAccount | undefined
    onFinal: OnFinal
    /** Called at the start of every pass to send due work. Returns whether any work remains. */
    onTick: (database: Database) => Promise<boolean>
    /** For crash tests: called after each step of the relayer. */
    probe?: ((step: RelayerStep, row: JournalRow) => void | Promise<void>) | undefined
    onError?: ((error: unknown) => void) | undefined
    pollIntervalMs?: number | undefined
  }
}

export type Relayer = {
  /** Journals and broadcasts a transaction. For a known reference, returns the existing row. */
  send: (request: Relayer.Request) => Promise<JournalRow>
  wait: (row: Pick<JournalRow, 'id'>) => Promise<JournalRow>
  /** Requests a pass over pending transactions soon. */
  wake: () => void
  start: () => Promise<void>
  stop: () => Promise<void>
}

export declare namespace Relayer {
  type Request = {
    chainId: number
    /** The sender. From an array, the relayer takes an account whose nonce queue is free. */
    account: PrivateKeyAccount | readonly PrivateKeyAccount[]
    reference: Reference
    request: { to: Hex; data: Hex; gas: bigint }
    price?: gasPrice.ReturnType | undefined
    also?: journalTransaction.Options['also']
  }
}

function isOpen({ status }: JournalRow): boolean {
  return openTransactionStates.some((open) => open === status)
}
