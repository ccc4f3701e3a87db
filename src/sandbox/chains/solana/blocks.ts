import { Clock, type LiteSVM, type SlotHash } from 'litesvm'
import type { Clock as SystemClock } from '../../../redeemkit/core/clock.ts'

/** Number of blocks for which a blockhash is valid, as on the network. */
const blockhashLifetime = 150

/** Number of blocks on top of a block after which it is final, as on the network. */
export const finalityBlocks = 32

const networkSlotMs = 400

/** Slots without a block, all before the first block, so that a slot and its block height always differ. */
const skippedSlots = 40

/** Number of blocks whose hashes are kept. A node may lag by a full blockhash lifetime. */
const keptBlocks = 2 * blockhashLifetime + finalityBlocks

export type BlocksView = {
  slot: number
  blockHeight: number
  latestBlockhash: { blockhash: string; lastValidBlockHeight: number }
  isRecent: (blockhash: string) => boolean
}

/** A block is produced when a slot's time is up or a transaction is included. `slotMs: Infinity`: only transactions produce blocks. */
export function startBlocks(svm: LiteSVM, options: { now: SystemClock; slotMs?: number | undefined }) {
  const { now, slotMs = networkSlotMs } = options
  const listeners = new Set<() => void>()
  let height = 0
  let lastTick = now()
  let blocks: { height: number; blockhash: string }[] = []
  let timer: NodeJS.Timeout | undefined

  /** Each block has its own hash, so two transactions that differ only in their blockhash are distinct. */
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
    // The instruction that creates a lookup table names a recent slot. LiteSVM accepts plain objects instead of its class.
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
  function follow(): void {
    const time = now()
    if (time < lastTick) lastTick = time
    const due = Math.floor((time - lastTick) / slotMs)
    if (due === 0) return
    lastTick += due * slotMs
    addBlocks(due)
  }
  /** Returns the chain as it was `behind` blocks ago; 0 means now. */
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
    nextSlot: (): number => {
      follow()
      addBlocks(1)
      return height + skippedSlots
    },
    slot: () => at(0).slot,
    blockHeight: () => at(0).blockHeight,
    latestBlockhash: () => at(0).latestBlockhash,
    isRecent: (blockhash: string) => at(0).isRecent(blockhash),
    /** Expires every blockhash issued so far, and advances until their expiry is final. */
    expireBlockhash: () => addBlocks(blockhashLifetime + finalityBlocks + 1),
    /** Calls the listener at every block and transaction. While there are listeners, a timer advances the slots. */
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
