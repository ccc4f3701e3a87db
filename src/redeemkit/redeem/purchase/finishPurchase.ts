import type { Hex } from 'viem'
import { unixSeconds } from '../../core/clock.ts'
import { checkPaid } from '../check/checkPaid.ts'
import { intentOf } from '../check/intentOf.ts'
import { OtherAttemptError, RedeemExpiredError } from '../errors.ts'
import { findRedeem } from '../findRedeem.ts'
import type { SubmittedRedeem } from '../preparedRedeem.ts'
import type { RedeemResult } from '../redeemOptions.ts'
import { waitForRedeem } from '../waitForRedeem.ts'
import { boundClient, within } from '../within.ts'
import type { PurchaseRecord } from './purchaseRecord.ts'
import {
  discardSigned,
  hasRandomNonce,
  keyOf,
  noncesOf,
  notify,
  type PurchaseRun,
  recordOf,
} from './purchaseRun.ts'
import { clockSlack } from './usableRecord.ts'

/** Returns `undefined` if the purchase still has to be signed or submitted. */
export async function resumePurchase(
  run: PurchaseRun,
  record: PurchaseRecord | undefined,
): Promise<RedeemResult | undefined> {
  const { options, terms } = run
  const { publicClient, signal } = options
  if (record !== undefined) await notify(run, { step: 'resuming', signed: record.signed !== undefined })
  // A permit that the trusted service always rejected, and that expired long ago, can no longer execute.
  const isPast = (end: string) => unixSeconds(options.now ?? run.client.now) > BigInt(end) + clockSlack
  if (
    publicClient === undefined &&
    hasRandomNonce(run) &&
    run.refused &&
    run.open &&
    isPast(run.open.validBefore)
  )
    discardSigned(run)
  if (publicClient === undefined)
    return record?.hash && record.nonce
      ? { ...keyOf(run, record.nonce), hash: record.hash, outcome: undefined }
      : undefined
  // Nothing was signed, so there is no nonce to look up.
  if (hasRandomNonce(run) && run.open === undefined) return undefined
  const nonce = record?.nonce ?? run.signed?.prepared.answer.nonce ?? intentOf(terms).nonce
  const key = keyOf(run, nonce as Hex)
  const { hash, validBefore } = run.open ?? {}
  const look = findRedeem(boundClient(publicClient, options), { ...key, hash, validBefore })
  const { state, block, ...seen } = await within(look, { signal })
  const ended = validBefore !== undefined && block.timestamp >= BigInt(validBefore)
  if (state === 'unused' && !ended) return undefined
  if (state === 'unknown') {
    // Unless the permit has expired or its reported transaction is pending, the same permit is submitted again.
    if (!ended && !('pending' in seen && seen.pending)) return undefined
    if (run.refused === true && hash === undefined) {
      // The trusted service rejected every submit, and the permit can no longer execute.
      discardSigned(run)
      return undefined
    }
  }
  try {
    return await finishPurchase(run, key, undefined)
  } catch (error) {
    if (!(error instanceof RedeemExpiredError)) throw error
    // The permit can no longer execute, so the same nonce may be signed again.
    discardSigned(run)
    return undefined
  }
}

/** Waits for the outcome of the order on chain. Accepts another attempt only if it pays for these terms. */
export async function finishPurchase(
  run: PurchaseRun,
  key: ReturnType<typeof keyOf>,
  submitted: SubmittedRedeem | undefined,
): Promise<RedeemResult> {
  const { client, options, open, terms } = run
  const {
    publicClient,
    confirmations,
    timeoutMs,
    pollingIntervalMs,
    signal,
    sleep,
    now = client.now,
  } = options
  if (publicClient === undefined) throw new TypeError('finishPurchase needs a publicClient.')
  await notify(run, { step: 'waiting', ...key })
  const outcome = await waitForRedeem(publicClient, {
    ...key,
    hash: submitted?.hash ?? (hasRandomNonce(run) ? open?.hash : undefined),
    transactionData: options.transactionData,
    validBefore: open?.validBefore,
    confirmations,
    timeoutMs,
    pollingIntervalMs,
    signal,
    now,
    sleep,
  }).catch((error: unknown) => {
    if (error instanceof OtherAttemptError) return error.outcome
    throw error
  })
  if (outcome.intentBound !== false)
    checkPaid(outcome, terms, {
      contracts: [terms.pinned.creditsContract],
      nonces: noncesOf(run),
    })
  // Before the record is finished: if the listener throws, the next call resumes the redeem.
  await options.onStep?.({ step: 'redeemed', outcome })
  return storeFinished(run, { ...key, nonce: outcome.nonce, hash: outcome.hash, outcome })
}

/** If the storage fails, the next call reads the chain again. */
export async function storeFinished(run: PurchaseRun, result: RedeemResult): Promise<RedeemResult> {
  const { options, store, signed, open } = run
  const { hash, nonce, outcome } = result
  try {
    // With `ready`, another click is for the same purchase, so its record stays.
    const { purchaseId, storage, ready } = options
    if (purchaseId === undefined && storage === undefined && ready === undefined) await store.remove()
    else {
      // Keep the signed redeem: without an outcome it may have to be submitted again, and a random nonce cannot be recomputed.
      const kept = outcome === undefined || signed?.prepared.intentBound === false
      await store.write({
        ...recordOf(run),
        nonce,
        hash,
        openUntil: open?.validBefore,
        ...(kept && { signed }),
      })
    }
  } catch (cause) {
    await options.onStep?.({ step: 'notStored', cause })
  }
  return result
}
