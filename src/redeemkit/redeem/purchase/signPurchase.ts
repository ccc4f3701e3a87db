import { RequestAbortedError } from '../../api/errors.ts'
import { readClock, unixSeconds } from '../../core/clock.ts'
import { BaseError } from '../../core/errors/baseError.ts'
import { ChainReadError } from '../../evm/client.ts'
import { checkNotExpired } from '../../evm/values.ts'
import { checkBalances } from '../check/checkFunds.ts'
import { same } from '../check/compare.ts'
import { prepareTerms, refuseByDryRun } from '../check/prepareTerms.ts'
import { PartlySignedError, PurchaseStorageError } from '../errors.ts'
import type { PreparedRedeem, SignedRedeem } from '../preparedRedeem.ts'
import { signRedeem } from '../signRedeem.ts'
import { checkOtherContracts } from './checkOtherContracts.ts'
import type { StoredPermit } from './purchaseRecord.ts'
import { hasRandomNonce, notify, type PurchaseRun, recordOf } from './purchaseRun.ts'
import { minimumSigningSeconds, readStoredPermit, type UsableRedeem } from './readReady.ts'
import { startWaiting } from './submitWithRetries.ts'

/** Prepares and signs. Stores the order key and salt before the prompt, and the signatures after it. */
export async function signPurchase(run: PurchaseRun): Promise<SignedRedeem> {
  const { ready, options, terms, client } = run
  const kept = readStoredPermit(run.permit, terms, options.now ?? client.now)
  // Use `ready` and `permit` only once: a second attempt in this run must prepare the redeem again.
  run.ready = run.permit = undefined
  if (ready === undefined) return sign(run, await prepare(run, kept), { kept })
  const prepared = kept?.prepared ?? ready.prepared
  await notify(run, { step: 'prepared', prepared })
  return sign(run, prepared, { ...ready, kept })
}

async function prepare(run: PurchaseRun, kept: StoredPermit | undefined): Promise<PreparedRedeem> {
  const { client, options } = run
  await notify(run, { step: 'preparing' })
  // A new random order key cannot have been used.
  const isNew = run.terms.purchaseId === undefined && !run.resumed
  const [prepared, elsewhere] = await Promise.all([
    kept?.prepared ?? prepareTerms(client, run.terms, options),
    isNew ? [] : checkOtherContracts(run.terms, options),
  ])
  // While a permit may execute, only its own nonce may be signed again, unless the service is trusted not to use both permits.
  const before = run.open?.nonce ?? run.nonce
  if (before !== undefined && !(hasRandomNonce(run) && run.second))
    same('nonce', before.toLowerCase(), prepared.answer.nonce.toLowerCase())
  if (!prepared.intentBound) checkGuarded(run)
  await notify(run, { step: 'prepared', prepared, ...(elsewhere.length > 0 && { elsewhere }) })
  if (options.publicClient === undefined || hasRandomNonce(run))
    await checkBalances(client, prepared, options)
  return prepared
}

/** Without Web Locks or `replaceItem`, two pages could sign two random nonces at the same moment, and both could execute. */
function checkGuarded({ locked, options: { storage, purchaseId } }: PurchaseRun): void {
  if (locked || storage?.replaceItem !== undefined) return
  if (storage === undefined && purchaseId === undefined) return
  throw new PurchaseStorageError(
    'Without a lock, two pages or processes could pay twice for this purchase, because its nonce is random.',
    {
      field: 'storage',
      fix: 'Nothing was signed. Pass a `storage` with `replaceItem`, or serve the page over https, where Web Locks protect `localStorage`.',
    },
  )
}

/** True if the permit may be valid although it was not verified: the node failed, or the caller aborted. */
function mayRetry(error: unknown): boolean {
  return [PartlySignedError, ChainReadError, RequestAbortedError].some((kind) => error instanceof kind)
}

async function sign(
  run: PurchaseRun,
  prepared: PreparedRedeem,
  { kept, hasCode, takesIntent }: { kept: StoredPermit | undefined } & Partial<UsableRedeem>,
): Promise<SignedRedeem> {
  const { client, options, terms, store } = run
  const { signer, publicClient, usdcVersion, signatures, signal, timeoutMs, now = client.now } = options
  const openUntil = run.open?.validBefore
  run.begunAt ??= `${unixSeconds(now)}`
  const { begunAt } = run
  const keep = (permit: StoredPermit | undefined) =>
    store.write({
      ...recordOf(run),
      begunAt,
      signed: run.open?.signed,
      openUntil,
      ...(permit && { permit }),
      ...(hasRandomNonce(run) && run.refused && { refused: true }),
    })
  let begun = false
  let unverified = false
  let permitCredits = kept?.permitCredits
  const ask = (end: AbortSignal | undefined) =>
    signRedeem(signer, {
      prepared,
      request: terms.request,
      pinned: {
        ...terms.pinned,
        chainId: terms.chainId,
        walletFactories: options.pinned.walletFactories,
      },
      wallet: terms.wallet,
      publicClient,
      hasCode,
      takesIntent,
      permitCredits,
      usdcVersion,
      signatures,
      signal: end,
      timeoutMs,
      now,
      onPermit: async (given) => {
        permitCredits = given
        // After an abort, nothing more is stored.
        if (!prepared.intentBound || signal?.aborted) return
        // Stored before any network request, so that a failed node, a reload or a rejected second prompt does not repeat this prompt.
        unverified = run.permitSigned = true
        await keep({ prepared, permitCredits: given })
      },
      onStep: async (step) => {
        // Last check before the wallet opens.
        refuseByDryRun(prepared)
        // Stored before the wallet opens, so the nonce stays the same after any failure.
        if (step.step === 'signing' && !begun) await keep(kept)
        begun = true
        if (step.step === 'permitSigned') {
          run.permitSigned = true
          unverified = false
        }
        await notify(run, step)
      },
    }).catch(async (error: unknown) => {
      // The next call requests another permit if the account no longer accepts this one.
      const isRefused = kept !== undefined && error instanceof BaseError && error.field === 'permitCredits'
      if (isRefused || (unverified && !mayRetry(error))) {
        run.permitSigned = false
        await keep(undefined)
      }
      throw error
    })
  // A second prompt opens only after a click, so a failed node ends a redeem with a USDC part.
  const isSigned = () => permitCredits !== undefined && prepared.request.usdcAmount === undefined
  const signed = await untilVerified(run, prepared, { ask, isSigned })
  // A prompt can stay open for a long time; an expired permit is neither stored nor submitted.
  checkNotExpired(BigInt(prepared.answer.validBefore), unixSeconds(now), 'permit.validBefore')
  await store.write({
    ...recordOf(run),
    begunAt,
    signed,
    openUntil,
    ...(run.second && { second: true }),
  })
  // From here on the caller may have the signed redeem.
  run.permitSigned = true
  await notify(run, { step: 'signed', signed })
  return signed
}

/**
 * Repeats the verification of a signed permit while the node does not respond, so that the payment continues when the network returns.
 * Ends with the first error when the permit, or the caller's `timeoutMs`, is too short for more.
 */
async function untilVerified(
  run: PurchaseRun,
  { answer }: PreparedRedeem,
  {
    ask,
    isSigned,
  }: { ask: (signal: AbortSignal | undefined) => Promise<SignedRedeem>; isSigned: () => boolean },
): Promise<SignedRedeem> {
  const { options, client } = run
  const { signal, sleep } = options
  const now = () => readClock(options.now ?? client.now)
  let waiting: ReturnType<typeof startWaiting> | undefined
  let first: unknown
  try {
    for (;;) {
      try {
        return await ask(waiting?.attempt ?? signal)
      } catch (error) {
        // `sendNow` ends the verification too, because the node may never respond to it.
        if (waiting?.attempt.aborted && !signal?.aborted && error instanceof RequestAbortedError) {
          waiting.renew()
          continue
        }
        const cause = error instanceof PartlySignedError ? error.cause : error
        if (!(cause instanceof ChainReadError && isSigned())) throw error
        first ??= error
      }
      const leftMs = (Number(answer.validBefore) - Number(minimumSigningSeconds)) * 1000 - now()
      const timeoutMs = Math.min(options.timeoutMs ?? leftMs, leftMs)
      waiting ??= startWaiting({ notify: (step) => notify(run, step), signal, sleep, now, timeoutMs })
      await notify(run, { step: 'lookingUp', cause: first })
      if (!(await waiting.pause())) throw first
      if (signal?.aborted) throw new RequestAbortedError({ sent: false })
    }
  } finally {
    waiting?.end()
  }
}
