import { Clock, type LiteSVM, type SlotHash } from 'litesvm'
import type { Clock as SystemClock } from '../../../core/time/clock.ts'

/** Blocks for which a blockhash is good, as on the real network. */
const blockhashLifetime = 150

/** The blocks of a chain: slots, heights, and the blockhashes that are still good. */
export function startBlocks(svm: LiteSVM, now: SystemClock) {
  let height = 0
  let recentSlots: SlotHash[] = []
  let blockhashes: { blockhash: string; lastValidBlockHeight: number }[] = []
  const latest = () => ({
    blockhash: String(svm.latestBlockhash()),
    lastValidBlockHeight: height + blockhashLifetime,
  })
  /** A block has a hash of its own: two equal transactions in two blocks are two. */
  function addBlocks(blocks: number): void {
    svm.expireBlockhash()
    height += blocks
    blockhashes = [latest(), ...blockhashes.filter((one) => one.lastValidBlockHeight >= height)]
  }
  /** Ends the slot. Returns the number of the next one. */
  function nextSlot(): number {
    const { slot, epochStartTimestamp, epoch, leaderScheduleEpoch } = svm.getClock()
    const time = BigInt(Math.floor(now() / 1000))
    svm.setClock(new Clock(slot + 1n, epochStartTimestamp, epoch, leaderScheduleEpoch, time))
    // A new lookup table names a recent slot; the runtime looks it up here. LiteSVM takes plain objects for
    // its own class.
    const current = { slot: slot + 1n, hash: String(svm.latestBlockhash()) } as SlotHash
    recentSlots = [current, ...recentSlots.slice(0, blockhashLifetime - 1)]
    svm.setSlotHashes(recentSlots)
    addBlocks(1)
    return Number(slot + 1n)
  }
  nextSlot()
  return {
    nextSlot,
    slot: () => Number(svm.getClock().slot),
    blockHeight: () => height,
    latestBlockhash: latest,
    isRecent: (blockhash: string) => blockhashes.some((one) => one.blockhash === blockhash),
    /** Makes every blockhash given out so far too old, and moves past their last valid block. */
    expireBlockhash: () => addBlocks(blockhashLifetime + 1),
  }
}
