import type { Hex } from 'viem'
import { unixSeconds } from '../../core/time/clock.ts'
import { boundClient } from '../boundClient.ts'
import { RedeemExpiredError } from '../errors.ts'
import { findRedeem } from '../findRedeem.ts'
import type { RedeemResult } from '../redeemOptions.ts'
import { intentOf } from '../request/intentOf.ts'
import { within } from '../within.ts'
import { finishPurchase } from './finishPurchase.ts'
import type { PurchaseRecord } from './purchaseRecord.ts'
import { aborted, isOpaque, keyOf, type PurchaseRun, startAnew, tell } from './purchaseRun.ts'
import { clockSlack } from './usableRecord.ts'

/** What became of a purchase that was begun before; `undefined` when there is something left to do. */
export async function resumePurchase(
  run: PurchaseRun,
  record: PurchaseRecord | undefined,
): Promise<RedeemResult | undefined> {
  const { options, terms } = run
  const { publicClient, signal } = options
  if (record !== undefined) await tell(run, { step: 'resuming', signed: record.signed !== undefined })
  // A service that is trusted has refused it each time, and its end is long past.
  const isPast = (end: string) => unixSeconds(options.now ?? run.client.now) > BigInt(end) + clockSlack
  if (publicClient === undefined && isOpaque(run) && run.refused && run.open && isPast(run.open.validBefore))
    startAnew(run)
  if (publicClient === undefined)
    return record?.hash && record.nonce
      ? { ...keyOf(run, record.nonce), hash: record.hash, outcome: undefined }
      : undefined
  // Nothing was signed, so no nonce is known: the chain cannot be asked.
  if (isOpaque(run) && run.open === undefined) return undefined
  const nonce = record?.nonce ?? run.signed?.prepared.answer.nonce ?? intentOf(terms).nonce
  const key = keyOf(run, nonce as Hex)
  const { hash, validBefore } = run.open ?? {}
  const look = findRedeem(boundClient(publicClient, options), { ...key, hash, validBefore })
  const { state, block, ...seen } = await within(look, { signal, onEnd: aborted })
  const ended = validBefore !== undefined && block.timestamp >= BigInt(validBefore)
  if (state === 'unused' && !ended) return undefined
  if (state === 'unknown') {
    // The hash that was named may wait to be mined; when it does not, or there is none, the same permit is sent again.
    if (!ended && !('pending' in seen && seen.pending)) return undefined
    if (run.refused === true && hash === undefined) {
      // A service that is trusted has refused it each time, and it can never execute any more.
      startAnew(run)
      return undefined
    }
  }
  try {
    return await finishPurchase(run, key, undefined)
  } catch (error) {
    if (!(error instanceof RedeemExpiredError)) throw error
    // It can never execute any more: the same nonce may be signed anew.
    startAnew(run)
    return undefined
  }
}
