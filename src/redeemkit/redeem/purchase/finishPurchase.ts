import { checkPaid } from '../check/checkPaid.ts'
import { OtherAttemptError } from '../otherAttemptError.ts'
import type { SubmittedRedeem } from '../preparedRedeem.ts'
import type { RedeemResult } from '../redeemOptions.ts'
import { readFormerContracts } from '../request/readRedeemTerms.ts'
import { waitForRedeem } from '../waitForRedeem.ts'
import { isOpaque, type keyOf, noncesOf, type PurchaseRun, recordOf, tell } from './purchaseRun.ts'

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
    hash: submitted?.hash ?? (isOpaque(run) ? open?.hash : undefined),
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
  return keepFinished(run, { ...key, nonce: outcome.nonce, hash: outcome.hash, outcome })
}

/** Keeps that it is done. What the storage fails to keep is found out again by the next call. */
export async function keepFinished(run: PurchaseRun, result: RedeemResult): Promise<RedeemResult> {
  const { options, book, signed } = run
  const { hash, nonce, outcome } = result
  try {
    // What was checked before the press may be pressed for again: it is the same purchase then.
    const { purchaseId, storage, ready } = options
    if (purchaseId === undefined && storage === undefined && ready === undefined) await book.remove()
    else {
      // What the chain has not shown yet may have to be sent again; no order brings a random nonce back after a reorg.
      const kept = outcome === undefined || signed?.prepared.bound === false
      await book.write({ ...recordOf(run), nonce, hash, ...(kept && { signed }) })
    }
  } catch (cause) {
    await options.onStep?.({ step: 'notKept', cause })
  }
  return result
}
