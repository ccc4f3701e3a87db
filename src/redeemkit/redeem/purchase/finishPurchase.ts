import type { Hex } from 'viem'
import { unixSeconds } from '../../core/time/clock.ts'
import { checkPaid } from '../check/checkPaid.ts'
import { OtherAttemptError, RedeemExpiredError } from '../errors.ts'
import { findRedeem } from '../findRedeem.ts'
import type { SubmittedRedeem } from '../preparedRedeem.ts'
import type { RedeemResult } from '../redeemOptions.ts'
import { intentOf } from '../request/intentOf.ts'
import { readFormerContracts } from '../request/readRedeemTerms.ts'
import { waitForRedeem } from '../waitForRedeem.ts'
import { boundClient, within } from '../within.ts'
import type { PurchaseRecord } from './purchaseRecord.ts'
import {
  aborted,
  discardSigned,
  hasRandomNonce,
  keyOf,
  noncesOf,
  type PurchaseRun,
  recordOf,
  tell,
} from './purchaseRun.ts'
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
  // Nothing was signed, so no nonce is known: the chain cannot be asked.
  if (hasRandomNonce(run) && run.open === undefined) return undefined
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
      discardSigned(run)
      return undefined
    }
  }
  try {
    return await finishPurchase(run, key, undefined)
  } catch (error) {
    if (!(error instanceof RedeemExpiredError)) throw error
    // It can never execute any more: the same nonce may be signed anew.
    discardSigned(run)
    return undefined
  }
}

/**
 * Follows the order on the chain to its end. Another attempt of it counts when it pays for these terms.
 *
 * @throws OrderUsedError when it does not; what `waitForRedeem` throws
 */
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
  if (publicClient === undefined) throw new TypeError('There is no chain to wait for.')
  await tell(run, { step: 'waiting', ...key })
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
      contracts: [terms.pinned.creditsContract, ...readFormerContracts(options.pinned)],
      nonces: noncesOf(run),
    })
  // Told before it is finished: what this throws ends in an open redeem, which the next call goes on with.
  await options.onStep?.({ step: 'redeemed', outcome })
  return storeFinished(run, { ...key, nonce: outcome.nonce, hash: outcome.hash, outcome })
}

/** Keeps that it is done. What the storage fails to keep is found out again by the next call. */
export async function storeFinished(run: PurchaseRun, result: RedeemResult): Promise<RedeemResult> {
  const { options, book, signed } = run
  const { hash, nonce, outcome } = result
  try {
    // What was checked before the click may be clicked for again: it is the same purchase then.
    const { purchaseId, storage, ready } = options
    if (purchaseId === undefined && storage === undefined && ready === undefined) await book.remove()
    else {
      // What the chain has not shown yet may have to be sent again; no order brings a random nonce back after a reorg.
      const kept = outcome === undefined || signed?.prepared.bound === false
      await book.write({ ...recordOf(run), nonce, hash, ...(kept && { signed }) })
    }
  } catch (cause) {
    await options.onStep?.({ step: 'notStored', cause })
  }
  return result
}
