import { Clock, type LiteSVM, type SlotHash } from 'litesvm'
import type { Clock as SystemClock } from '../../../redeemkit/core/time/clock.ts'

/** Blocks for which a blockhash is good, as on the real network. */
const blockhashLifetime = 150

/** Blocks that must lie on a block before it is final, as on the real network. */
export const finalityBlocks = 32

/** How long a slot lasts on the real network. */
const networkSlotMs = 400

/** Slots without a block, all before the first one here: a slot and a block height are never the same number. */
const skippedSlots = 40

/** Blocks whose hashes are kept: all that may be good, on a node that lags by as many again. */
const keptBlocks = 2 * blockhashLifetime + finalityBlocks

/** The chain as it was some blocks ago: what is final, or what a node that lags knows. */
export type BlocksView = {
  slot: number
  blockHeight: number
  latestBlockhash: { blockhash: string; lastValidBlockHeight: number }
  isRecent: (blockhash: string) => boolean
}

/**
 * The blocks of a chain: slots, heights, and the blockhashes that are still good. Every slot has its block, when its
 * time has come or when a transaction lands, whichever is first.
 *
 * @param options.slotMs default 400; with `Infinity` only transactions make blocks
 */
export function startBlocks(svm: LiteSVM, options: { now: SystemClock; slotMs?: number | undefined }) {
  const { now, slotMs = networkSlotMs } = options
  const listeners = new Set<() => void>()
  let height = 0
  let lastTick = now()
  let blocks: { height: number; blockhash: string }[] = []
  let timer: NodeJS.Timeout | undefined

  /** A block has a hash of its own: two equal transactions in two blocks are two. */
  function addBlocks(count: number): void {
    const added: typeof blocks = []
    for (let at = height + Math.max(1, count - keptBlocks + 1); at <= height + count; at++) {
      svm.expireBlockhash()
      added.unshift({ height: at, blockhash: String(svm.latestBlockhash()) })
    }
    height += count
    blocks = [...added, ...blocks].slice(0, keptBlocks)
    const { epochStartTimestamp, epoch, leaderScheduleEpoch } = svm.getClock()
    const seconds = BigInt(Math.floor(now() / 1000))
    svm.setClock(
      new Clock(BigInt(height + skippedSlots), epochStartTimestamp, epoch, leaderScheduleEpoch, seconds),
    )
    // A new lookup table names a recent slot; the runtime looks it up here. LiteSVM takes plain objects for
    // its own class.
    svm.setSlotHashes(
      blocks
        .slice(0, blockhashLifetime)
        .map((block) => ({ slot: BigInt(block.height + skippedSlots), hash: block.blockhash }) as SlotHash),
    )
    announce()
  }
  function announce(): void {
    for (const listener of listeners) listener()
  }
  /** Makes the blocks for which it has been time since the last look. */
  function follow(): void {
    const time = now()
    if (time < lastTick) lastTick = time
    const due = Math.floor((time - lastTick) / slotMs)
    if (due === 0) return
    lastTick += due * slotMs
    addBlocks(due)
  }
  /** The chain as it was some blocks ago; 0: as it is. */
  function at(behind: number): BlocksView {
    follow()
    const blockHeight = Math.max(1, height - behind)
    const last = blocks.find((block) => block.height <= blockHeight)
    return {
      slot: blockHeight + skippedSlots,
      blockHeight,
      latestBlockhash: {
        blockhash: last?.blockhash ?? '',
        lastValidBlockHeight: (last?.height ?? 0) + blockhashLifetime,
      },
      isRecent: (blockhash) => {
        const block = blocks.find((one) => one.blockhash === blockhash)
        return (
          block !== undefined &&
          block.height <= blockHeight &&
          block.height + blockhashLifetime >= blockHeight
        )
      },
    }
  }
  addBlocks(2 * finalityBlocks)
  return {
    at,
    announce,
    /** Ends the slot. Returns the number of the next one. */
    nextSlot: (): number => {
      follow()
      addBlocks(1)
      return height + skippedSlots
    },
    slot: () => at(0).slot,
    blockHeight: () => at(0).blockHeight,
    latestBlockhash: () => at(0).latestBlockhash,
    isRecent: (blockhash: string) => at(0).isRecent(blockhash),
    /** Makes every blockhash given out so far too old, and moves on until it is final that they are. */
    expireBlockhash: () => addBlocks(blockhashLifetime + finalityBlocks + 1),
    /** Calls at every block and every transaction, until what it returns is called. While anybody listens, slots follow time by themselves. */
    listen: (listener: () => void): (() => void) => {
      listeners.add(listener)
      if (timer === undefined && Number.isFinite(slotMs)) timer = setInterval(follow, slotMs).unref()
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
  }
}
