import { BaseError } from '../../core/errors/baseError.ts'
import { unixSeconds } from '../../core/time/clock.ts'
import { checkNotExpired } from '../../evm/values.ts'
import { boundClient } from '../boundClient.ts'
import { refuseByDryRun } from '../check/refuseByDryRun.ts'
import { same } from '../check/sameFields.ts'
import { PurchaseStorageError } from '../errors.ts'
import type { PreparedRedeem, SignedRedeem } from '../preparedRedeem.ts'
import { prepareTerms } from '../request/prepareTerms.ts'
import { signRedeem } from '../signRedeem.ts'
import { checkBalances } from './checkBalances.ts'
import { checkElsewhere } from './checkElsewhere.ts'
import type { KeptPermit } from './purchaseRecord.ts'
import { isOpaque, type PurchaseRun, recordOf, tell } from './purchaseRun.ts'
import { takeKept } from './takeKept.ts'

/** Prepares a purchase, unless that was done before the click, and asks the wallet. Order and salt are kept before, what was signed afterwards. */
export async function signPurchase(run: PurchaseRun): Promise<SignedRedeem> {
  const { ready, options, terms, client } = run
  // A dry run is made of what is prepared for it.
  const kept = options.dryRun ? undefined : takeKept(run.permit, terms, options.now ?? client.now)
  // Used once: what is prepared again later is not what was checked, nor what was signed.
  run.ready = run.permit = undefined
  if (ready === undefined) return sign(run, await prepare(run, kept), { kept })
  const prepared = kept?.prepared ?? ready.prepared
  await tell(run, { step: 'prepared', prepared })
  return sign(run, prepared, { kept, hasCode: ready.hasCode })
}

async function prepare(run: PurchaseRun, kept: KeptPermit | undefined): Promise<PreparedRedeem> {
  const { client, options } = run
  await tell(run, { step: 'preparing' })
  // An order that is new, and random, was used nowhere.
  const isNew = run.terms.purchaseId === undefined && !run.resumed
  const [prepared, elsewhere] = await Promise.all([
    kept?.prepared ?? ask(run),
    isNew ? [] : checkElsewhere(run.terms, options),
  ])
  // While one nonce may execute no other one is signed, unless the service is trusted not to use both.
  const before = run.open?.nonce ?? run.nonce
  if (before !== undefined && !(isOpaque(run) && run.second))
    same('nonce', before.toLowerCase(), prepared.answer.nonce.toLowerCase())
  if (!prepared.bound) checkGuarded(run)
  await tell(run, { step: 'prepared', prepared, ...(elsewhere.length > 0 && { elsewhere }) })
  if (options.publicClient === undefined || isOpaque(run)) await checkBalances(client, prepared, options)
  return prepared
}

function ask({ client, options, terms }: PurchaseRun): Promise<PreparedRedeem> {
  const { dryRun } = options
  return prepareTerms(client, terms, { ...options, dryRun: dryRun && boundClient(dryRun, options) })
}

/**
 * Two pages that begin at the same moment would sign two random nonces, and both could execute. Only a storage prevents that, so an
 * order id needs one.
 */
function checkGuarded({ locked, options: { storage, purchaseId } }: PurchaseRun): void {
  if (locked || storage?.replaceItem !== undefined) return
  if (storage === undefined && purchaseId === undefined) return
  throw new PurchaseStorageError(
    'Two pages or processes could pay for this purchase twice: with a random nonce, only a storage with a lock prevents that.',
    {
      field: 'storage',
      fix: 'Nothing was signed. Pass a `storage` with `replaceItem`, or serve the page over https, where Web Locks protect `localStorage`.',
    },
  )
}

async function sign(
  run: PurchaseRun,
  prepared: PreparedRedeem,
  { kept, hasCode }: { kept?: KeptPermit | undefined; hasCode?: boolean | undefined },
): Promise<SignedRedeem> {
  const { client, options, terms, book } = run
  const { signer, publicClient, usdcVersion, signatures, signal, timeoutMs, now = client.now } = options
  const openUntil = run.open?.validBefore
  run.begunAt ??= `${unixSeconds(now)}`
  const { begunAt } = run
  const keep = (permit: KeptPermit | undefined) =>
    book.write({
      ...recordOf(run),
      begunAt,
      signed: run.open?.signed,
      openUntil,
      ...(permit && { permit }),
      ...(isOpaque(run) && run.refused && { refused: true }),
    })
  let begun = false
  const signed = await signRedeem(signer, {
    prepared,
    request: terms.request,
    pinned: { ...terms.pinned, chainId: terms.chainId },
    wallet: terms.wallet,
    publicClient,
    hasCode,
    permitCredits: kept?.permitCredits,
    usdcVersion,
    signatures,
    signal,
    timeoutMs,
    now,
    onStep: async (step) => {
      // After whatever else is in the way, and before the wallet is asked.
      refuseByDryRun(prepared)
      // Order and salt are kept before the wallet is asked: whatever happens from here on, the nonce stays the same.
      if (step.step === 'signing' && !begun) await keep(kept)
      begun = true
      if (step.step === 'permitSigned') {
        run.permitSigned = true
        // A no to the second prompt, or a reload before it, costs no second look at the first.
        if (prepared.bound) await keep({ prepared, permitCredits: step.permitCredits })
      }
      await tell(run, step)
    },
  }).catch(async (error: unknown) => {
    // A permit that its account does not take back is asked for anew by the next call.
    if (kept !== undefined && error instanceof BaseError && error.field === 'permitCredits')
      await keep(undefined)
    throw error
  })
  // A prompt may stand open for long: what no chain takes any more is neither kept nor sent.
  checkNotExpired(BigInt(prepared.answer.validBefore), unixSeconds(now), 'permit.validBefore')
  await book.write({
    ...recordOf(run),
    begunAt,
    signed,
    openUntil,
    ...(run.second && { second: true }),
  })
  // From here on the caller may hold it.
  run.permitSigned = true
  await tell(run, { step: 'signed', signed })
  return signed
}
