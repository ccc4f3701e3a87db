import { asc, eq, inArray } from 'drizzle-orm'
import type { Hex, PrivateKeyAccount } from 'viem'
import type { ChainReadError } from '../../redeemkit/evm/client.ts'
import type { Database, JournalRow } from '../store/database.ts'
import type { UnknownRowError } from '../store/errors.ts'
import type { Reference } from '../store/reference.ts'
import { openTransactionStates } from '../store/states.ts'
import { transactions } from '../store/tables/index.ts'
import { broadcast } from './broadcast.ts'
import { createLoop } from './createLoop.ts'
import { followTransaction, type OnFinal } from './followTransaction.ts'
import { gasPrice } from './gasPrice.ts'
import { journalTransaction } from './journalTransaction.ts'
import { recallForgotten } from './recallForgotten.ts'
import type { RelayerChain } from './relayerChain.ts'
import type { RelayerStep } from './relayerStep.ts'

/**
 * Sends transactions exactly once: journal first, then broadcast, then follow to the receipt.
 *
 * After a crash `start` picks up what the journal holds: a transaction that was written but not sent is sent, one that
 * was sent is followed. Nothing is signed twice for one reference.
 */
export function createRelayer(options: createRelayer.Options): Relayer {
  const { database, chains, now, accountOf, onFinal, onTick, probe, onError, pollIntervalMs = 200 } = options
  /** By the id of the journal's row. */
  const waiting = new Map<number, ((row: JournalRow) => void)[]>()
  let recalled: { at: number; done: Promise<unknown> } | undefined
  let isRecallAhead = false
  const loop = createLoop({ pass: followAll, pauseMs: pollIntervalMs, spacingMs: 50, onError })

  return { send, wait, wake: loop.wake, start, stop: loop.stop }

  async function start(): Promise<void> {
    await recall()
    loop.start()
  }

  /**
   * Before anything new is signed, by `start` or by the first pass; then by a pass every second, since chains reorganise. A node
   * that is down is asked again by the next.
   */
  async function recall(): Promise<void> {
    const at = performance.now()
    const dueIn = recalled === undefined ? 0 : recalled.at + recallEveryMs - at
    if (recalled === undefined || dueIn <= slackMs)
      recalled = { at, done: database().then((store) => recallForgotten(store, { chains, now })) }
    else if (!isRecallAhead) {
      isRecallAhead = true
      setTimeout(() => {
        isRecallAhead = false
        loop.wake()
      }, dueIn).unref()
    }
    await recalled.done.catch((error: unknown) => {
      recalled = undefined
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
    await probe?.('journalled', row)
    if (row.status === 'journalled') {
      try {
        await broadcast(store, { chain, row, now })
        await probe?.('broadcast', row)
      } finally {
        // Also when the node did not take it: it is in the journal, and the loop keeps trying.
        loop.nudge()
      }
    }
    return row
  }

  async function wait({ id }: Pick<JournalRow, 'id'>): Promise<JournalRow> {
    let settle = (_row: JournalRow): void => {}
    const final = new Promise<JournalRow>((resolve) => {
      settle = resolve
    })
    // First this: the transaction may become final while the journal is read.
    waiting.set(id, [...(waiting.get(id) ?? []), settle])
    const store = await database()
    const [row] = await store.select().from(transactions).where(eq(transactions.id, id))
    if (row !== undefined && !isOpen(row)) {
      const others = (waiting.get(id) ?? []).filter((one) => one !== settle)
      if (others.length === 0) waiting.delete(id)
      else waiting.set(id, others)
      return row
    }
    loop.wake()
    return final
  }

  /** One pass over everything open, in the order of the lanes. @returns whether something stays open */
  async function followAll(): Promise<boolean> {
    await recall()
    const store = await database()
    let unfinished = await onTick(store)
    const open = await store
      .select()
      .from(transactions)
      .where(inArray(transactions.status, [...openTransactionStates]))
      .orderBy(asc(transactions.chainId), asc(transactions.nonce))
    const priceOf = pricesOnce()
    for (const row of open) {
      if (loop.isStopped()) return true
      const chain = chains.get(row.chainId)
      // A chain that this service no longer has: its rows wait.
      if (chain === undefined) continue
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
        if (outcome.state === 'open') unfinished = true
        else if (outcome.closed !== undefined) tell(outcome.closed)
      } catch (error) {
        unfinished = true
        onError?.(error)
      }
    }
    await tellOfOthers(store, open)
    return unfinished || waiting.size > 0
  }

  /** Another process on the same database may have closed what somebody waits for here. */
  async function tellOfOthers(store: Database, open: readonly JournalRow[]): Promise<void> {
    const ids = [...waiting.keys()].filter((id) => open.every((row) => row.id !== id))
    if (ids.length === 0) return
    for (const row of await store.select().from(transactions).where(inArray(transactions.id, ids)))
      if (!isOpen(row)) tell(row)
  }

  /** What the outcome makes due is looked at by another pass. */
  function tell(closed: JournalRow): void {
    loop.wake()
    for (const resolve of waiting.get(closed.id) ?? []) resolve(closed)
    waiting.delete(closed.id)
  }
}

const recallEveryMs = 1_000
/** A pass that comes a little early for another reason is not followed by one of its own. */
const slackMs = 100

/** The price of each chain, asked for once. */
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
    chains: ReadonlyMap<number, RelayerChain>
    now: () => number
    /** Who signs for an address of the journal, when its transaction is stuck. */
    accountOf: (address: Hex) => PrivateKeyAccount | undefined
    onFinal: OnFinal
    /** Called at the head of every pass: sends what is due. @returns whether something stays due */
    onTick: (database: Database) => Promise<boolean>
    /** For tests of crashes: called after each step, before the next. */
    probe?: ((step: RelayerStep, row: JournalRow) => void | Promise<void>) | undefined
    onError?: ((error: unknown) => void) | undefined
    pollIntervalMs?: number | undefined
  }
  /** By what it does when it sends and follows. */
  type ErrorType = ChainReadError | UnknownRowError
}

export type Relayer = {
  /** Journals and broadcasts. A reference that is known is not sent again: its row is returned. */
  send: (request: Relayer.Request) => Promise<JournalRow>
  /** Resolves when a journalled transaction is mined, reverted or dropped. */
  wait: (row: Pick<JournalRow, 'id'>) => Promise<JournalRow>
  /** Looks after everything open, soon. */
  wake: () => void
  /** Picks up what a former process left open. */
  start: () => Promise<void>
  stop: () => Promise<void>
}

export declare namespace Relayer {
  type Request = {
    chainId: number
    /** Who sends it. Of several, one whose lane is free. */
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
