import type { SubmittedRedeem } from '../preparedRedeem.ts'
import type { RedeemResult } from '../redeemOptions.ts'
import { waitForRedeem } from '../waitForRedeem.ts'
import { purchaseOf } from './purchaseRecord.ts'
import { isOpaque, type keyOf, type PurchaseRun, tell } from './purchaseRun.ts'

/** Follows the nonce on the chain to its end. */
export async function finishPurchase(
  run: PurchaseRun,
  key: ReturnType<typeof keyOf>,
  submitted: SubmittedRedeem | undefined,
): Promise<RedeemResult> {
  const { client, options, open, salt } = run
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
    salt,
    hash: submitted?.hash ?? (isOpaque(run) ? open?.hash : undefined),
    transactionData: options.transactionData,
    validBefore: open?.validBefore,
    confirmations,
    timeoutMs,
    pollingIntervalMs,
    signal,
    now,
    sleep,
  })
  // Told before it is finished: what this throws ends in an open redeem, which the next call goes on with.
  await options.onStep?.({ step: 'redeemed', outcome })
  return keepFinished(run, { ...key, hash: outcome.hash, outcome })
}

/** Keeps that it is done. What the storage fails to keep is found out again by the next call. */
export async function keepFinished(run: PurchaseRun, result: RedeemResult): Promise<RedeemResult> {
  const { options, terms, book, salt, signed } = run
  const { hash, nonce, outcome } = result
  const purchase = purchaseOf(terms, options.purchaseId)
  try {
    // What was checked before the press may be pressed for again: it is the same purchase then.
    const { purchaseId, storage, ready } = options
    if (purchaseId === undefined && storage === undefined && ready === undefined) await book?.remove()
    else {
      // What the chain has not shown yet may have to be sent again; no salt brings an unbound nonce back after a reorg.
      const kept = outcome === undefined || signed?.prepared.bound === false
      await book?.write({ version: 1, purchase, salt, nonce, hash, ...(kept && { signed }) })
    }
  } catch (cause) {
    await options.onStep?.({ step: 'notKept', cause })
  }
  return result
}
