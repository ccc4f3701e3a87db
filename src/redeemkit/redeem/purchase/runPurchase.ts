import type { Hex } from 'viem'
import type { PaymentsClient } from '../../api/createPaymentsClient.ts'
import { isServiceError, OutcomeUnknownError } from '../../api/errors.ts'
import { BaseError } from '../../core/errors/baseError.ts'
import { showText } from '../../core/errors/showValue.ts'
import { decodeRevert } from '../../evm/revert/decodeRevert.ts'
import { intentOf } from '../check/intentOf.ts'
import { AlreadyRedeemedError, OrderUsedError, PartlySignedError, RedeemCancelledError } from '../errors.ts'
import { isOpenRedeemError } from '../isOpenRedeemError.ts'
import { type OpenRedeem, openRedeemError, withoutAdvice } from '../openRedeem.ts'
import type { PreparedRedeem, RedeemTerms, SubmittedRedeem } from '../preparedRedeem.ts'
import type { RedeemOptions, RedeemResult } from '../redeemOptions.ts'
import { boundClient, within } from '../within.ts'
import { verifyPaid } from './checkOtherContracts.ts'
import { finishPurchase, resumePurchase, storeFinished } from './finishPurchase.ts'
import type { PurchaseRecord } from './purchaseRecord.ts'
import {
  hasRandomNonce,
  keyOf,
  notify,
  openOf,
  type PurchaseRun,
  recordOf,
  recordSubmit,
  refusalOf,
} from './purchaseRun.ts'
import type { PurchaseStore } from './purchaseStorage.ts'
import type { UsableRedeem } from './readReady.ts'
import { signPurchase } from './signPurchase.ts'
import { submitWithRetries } from './submitWithRetries.ts'
import { usableRecord } from './usableRecord.ts'
import type { LockState } from './withPurchaseLock.ts'

/**
 * Looks up, resubmits or awaits an earlier attempt; without one, prepares, signs and submits the redeem. A call that waited for another
 * returns that call's result, even if the purchase is finished.
 */
export async function runPurchase(
  client: PaymentsClient,
  options: RedeemOptions,
  { terms, store, lock, ready }: runPurchase.Purchase,
): Promise<RedeemResult> {
  const record = await usableRecord(await store.read(), terms, { ...options, now: options.now ?? client.now })
  // A finished purchase can be made again, unless an id or `ready` identifies it as the same purchase.
  const begun =
    record?.hash === undefined ||
    terms.purchaseId !== undefined ||
    lock.waited ||
    record.salt === ready?.prepared.salt
      ? record
      : undefined
  // Otherwise a waiting page would mistake the earlier purchase for this one.
  if (begun === undefined && record !== undefined) await store.remove()
  const run: PurchaseRun = {
    client,
    options,
    // Anything signed with the recorded order key and salt belongs to this purchase.
    terms: begun === undefined ? terms : { ...terms, orderKey: begun.orderKey, salt: begun.salt },
    store,
    locked: lock.locked,
    signed: begun?.signed,
    open: begun && openOf(begun),
    nonce: begun?.nonce,
    ready: ready?.fresh && isUntouched(begun, ready.prepared) ? ready : undefined,
    begunAt: begun?.begunAt,
    permit: begun?.signed === undefined ? begun?.permit : undefined,
    permitSigned: false,
    resumed: begun !== undefined,
    refused: begun?.signed && begun.refused === true,
    second: begun?.second === true,
  }
  try {
    const known = begun ?? terms.purchaseId ?? ready
    const isSeen = known === undefined || run.ready !== undefined
    const result = isSeen ? undefined : await resumePurchase(run, begun)
    return result ?? (await pay(run))
  } catch (error) {
    await forget(run, error)
    const shown =
      run.open === undefined ? error : openRedeemError(await verified(run, run.open, error), run.open)
    try {
      addRevertReason(shown, options.transactionData)
    } catch {
      // Without a readable revert reason, throw the error as it is.
    }
    throw shown
  }
}

export declare namespace runPurchase {
  type Purchase = {
    terms: RedeemTerms
    store: PurchaseStore
    lock: LockState
    ready?: UsableRedeem | undefined
  }
}

function isUntouched(record: PurchaseRecord | undefined, { salt }: PreparedRedeem): boolean {
  if (record === undefined) return true
  return record.salt === salt && record.signed === undefined && record.hash === undefined
}

async function pay(run: PurchaseRun): Promise<RedeemResult> {
  const { client, options, terms } = run
  const { publicClient, signal, sleep } = options
  for (let again = false; ; again = true) {
    try {
      if (run.signed === undefined) {
        run.signed = await signPurchase(run)
        run.refused = undefined
      }
    } catch (error) {
      // An attempt was redeemed in the meantime, or the open permit was cancelled: report it with the requested confirmations.
      const isOver =
        error instanceof AlreadyRedeemedError
          ? error.field === 'nonce'
          : error instanceof RedeemCancelledError && run.open !== undefined
      if (!isOver || publicClient === undefined) throw error
      const nonce = run.open?.nonce ?? (intentOf(terms).nonce as Hex)
      return await finishPurchase(run, keyOf(run, nonce), undefined)
    }
    const { signed } = run
    const { request } = terms
    const pinned = { ...terms.pinned, maxGasFeeCents: signed.prepared.pinned.maxGasFeeCents }
    // The service may accept the permit this time, so it no longer counts as rejected; submit nothing unless this change is stored.
    if (run.refused) await storeOpen({ ...run, refused: false })
    try {
      const submitted = await submitWithRetries(client, signed, {
        publicClient: boundClient(publicClient, options),
        timeoutMs: options.timeoutMs,
        pinned,
        request,
        notify: (step) => notify(run, step),
        onSubmitted: (cause) => recordSubmit(run, signed, cause),
        hasHash: hasRandomNonce(run) && run.open?.hash !== undefined,
        signal,
        now: options.now ?? client.now,
        sleep,
      })
      if (submitted !== undefined) {
        recordSubmit(run, signed, submitted)
        await tryStoreOpen(run)
        await notify(run, { step: 'submitted', submitted })
      }
      const key = keyOf(run, signed.prepared.answer.nonce as Hex) // a checked nonce has 32 bytes
      // Without a publicClient, a submit without a hash has thrown.
      if (publicClient !== undefined) return await finishPurchase(run, key, submitted)
      return await storeFinished(run, {
        ...key,
        hash: (submitted as SubmittedRedeem).hash,
        outcome: undefined,
      })
    } catch (cause) {
      if (run.refused) await tryStoreOpen(run)
      if (again || !mayPrepareAgain(cause, signed.prepared, run)) throw cause
      await notify(run, { step: 'preparingAgain', cause })
      run.signed = undefined
      run.second = hasRandomNonce(run)
    }
  }
}

async function tryStoreOpen(run: PurchaseRun): Promise<void> {
  try {
    await storeOpen(run)
  } catch (cause) {
    await run.options.onStep?.({ step: 'notStored', cause })
  }
}

async function storeOpen(run: PurchaseRun): Promise<void> {
  const { store, begunAt, signed, open, refused, second } = run
  if (!hasRandomNonce(run)) return
  await store.write({
    ...recordOf(run),
    begunAt,
    signed,
    openUntil: open?.validBefore,
    ...(open?.hash && { answered: open.hash }),
    ...(refused && { refused }),
    ...(second && { second }),
  })
}

/** Keeps a record that has a signature or that an earlier call began, unless the purchase can never be redeemed. */
async function forget({ store, permitSigned, resumed }: PurchaseRun, error: unknown): Promise<void> {
  const over = error instanceof RedeemCancelledError || error instanceof OrderUsedError
  if (!over && (resumed || permitSigned || error instanceof PartlySignedError)) return
  // A record that cannot be removed does no harm: the next call resumes it.
  await store.remove().catch(() => undefined)
}

/**
 * If the service reports that the order is already paid, reads the chains and reports their result instead. The submitted permit may still
 * execute, so the result stays the error of an open redeem.
 */
async function verified({ terms, options }: PurchaseRun, open: OpenRedeem, error: unknown): Promise<unknown> {
  if (!isOpenRedeemError(error) || refusalOf(error)?.code !== 'ORDER_ALREADY_PAID') return error
  const look = within(verifyPaid(terms, options), { signal: options.signal })
  // If the chains cannot be read, keep the service's report.
  const found = await look.catch(() => undefined)
  return found === undefined ? error : new OutcomeUnknownError(withoutAdvice(found), open)
}

/** Decodes the revert with the ABI of the request. */
function addRevertReason(error: unknown, transactionData: object): void {
  if (!(error instanceof BaseError)) return
  const refusal = [error, error.cause].find(isServiceError)
  if (refusal?.revertData === undefined) return
  const { name, reason, args } = decodeRevert({ data: refusal.revertData, transactionData })
  Object.assign(refusal, { revertReason: reason })
  // The contract's own text is quoted.
  error.message += `\nThe contract says: ${name === 'Error' ? showText(String(args.reason)) : reason}`
}

/**
 * The same nonce may be signed again if the gas fee changed, or if the service no longer knows a resumed permit. With random nonces, both
 * permits could execute. So a second permit is signed only once, after a changed fee, if the service is trusted and has rejected the
 * first.
 */
function mayPrepareAgain(cause: unknown, { intentBound }: PreparedRedeem, run: PurchaseRun): boolean {
  const { resumed, refused, second } = run
  const code = isOpenRedeemError(cause) ? refusalOf(cause)?.code : undefined
  if (hasRandomNonce(run)) return code === 'EXCEEDS_AUTHORIZED' && refused === true && !second
  if (!intentBound) return false
  return code === 'EXCEEDS_AUTHORIZED' || (resumed && (code === 'PERMIT_EXPIRED' || code === 'UNKNOWN_NONCE'))
}
