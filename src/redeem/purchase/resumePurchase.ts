import type { Hex } from 'viem'
import { redeemIntent } from '../../evm/creditPermit/redeemIntent.ts'
import { boundClient } from '../boundClient.ts'
import { RedeemExpiredError } from '../errors.ts'
import { findRedeem } from '../findRedeem.ts'
import type { RedeemResult } from '../redeemOptions.ts'
import { within } from '../within.ts'
import { finishPurchase } from './finishPurchase.ts'
import type { PurchaseRecord } from './purchaseRecord.ts'
import { aborted, keyOf, type PurchaseRun, tell } from './purchaseRun.ts'

/** What became of a purchase that was begun before; `undefined` when there is something left to do. */
export async function resumePurchase(
  run: PurchaseRun,
  record: PurchaseRecord | undefined,
): Promise<RedeemResult | undefined> {
  const { options, terms } = run
  const { publicClient, signal } = options
  if (record !== undefined) await tell(run, { step: 'resuming', signed: record.signed !== undefined })
  if (publicClient === undefined)
    return record?.hash && record.nonce
      ? { ...keyOf(run, record.nonce), hash: record.hash, outcome: undefined }
      : undefined
  const nonce =
    record?.nonce ?? run.signed?.prepared.answer.nonce ?? redeemIntent({ ...terms, salt: run.salt }).nonce
  const key = keyOf(run, nonce as Hex)
  const look = findRedeem(boundClient(publicClient, options), key)
  const { state, block } = await within(look, { signal, onEnd: aborted })
  const ended = run.open !== undefined && block.timestamp >= BigInt(run.open.validBefore)
  if (state === 'unused' && !ended) return undefined
  try {
    return await finishPurchase(run, key, undefined)
  } catch (error) {
    if (!(error instanceof RedeemExpiredError)) throw error
    // It can never execute any more: the same salt may be signed anew.
    run.signed = run.open = run.nonce = undefined
    return undefined
  }
}
