import { getBalances } from '../../api/endpoints/browser/getBalances.ts'
import { InvalidAnswerError } from '../../api/errors.ts'
import { isServiceError } from '../../api/serviceError.ts'
import { amountPerCent, centsToAmount } from '../../core/amount/centsToAmount.ts'
import { boundClient } from '../boundClient.ts'
import { checkFunds } from '../check/checkFunds.ts'
import { same } from '../check/sameFields.ts'
import { PurchaseStorageError, RedeemWouldFailError } from '../errors.ts'
import type { PreparedRedeem, SignedRedeem } from '../preparedRedeem.ts'
import { prepareRedeem } from '../prepareRedeem.ts'
import { signRedeem } from '../signRedeem.ts'
import { purchaseOf } from './purchaseRecord.ts'
import { isOpaque, type PurchaseRun, tell } from './purchaseRun.ts'

/** Prepares a purchase with its salt, and asks the wallet. The salt is kept before, what was signed afterwards. */
export async function signPurchase(run: PurchaseRun): Promise<SignedRedeem> {
  return sign(run, await prepare(run))
}

async function prepare(run: PurchaseRun): Promise<PreparedRedeem> {
  const { client, options, terms, salt } = run
  const { publicClient, allowUnbound, dryRun, signal, now = client.now } = options
  const { request, wallet, chainId, pinned } = terms
  await tell(run, { step: 'preparing' })
  const prepared = await prepareRedeem(client, {
    ...request,
    // The caller's own object: with it goes the ABI that its builder was given.
    transactionData: options.transactionData,
    wallet,
    chainId,
    pinned,
    salt,
    allowUnbound,
    dryRun: dryRun && boundClient(dryRun, options),
    signal,
    now,
  })
  // As long as one nonce may execute, another one would be a second payment, unless the service is trusted not to use both.
  const before = run.open?.nonce ?? run.nonce
  if (before !== undefined && !(isOpaque(run) && run.second))
    same('nonce', before.toLowerCase(), prepared.answer.nonce.toLowerCase())
  if (!prepared.bound) checkGuarded(run)
  await tell(run, { step: 'prepared', prepared })
  if (publicClient === undefined || isOpaque(run)) await checkBalances(run, prepared)
  return prepared
}

/** Two pages that begin at the same moment would sign two nonces, and where nonces commit to nothing both could execute. */
function checkGuarded(run: PurchaseRun): void {
  const { storage } = run.options
  if (run.locked || storage === undefined || storage.replaceItem !== undefined) return
  throw new PurchaseStorageError(
    'Two pages or processes with this storage could pay for this purchase twice.',
    {
      field: 'storage',
      fix: 'Serve the page over https, where Web Locks keep them apart, or give the storage a replaceItem. Nothing was signed.',
    },
  )
}

/** What the customer has, by the service's word: where no chain is read, or the contract tells no balance. */
async function checkBalances(run: PurchaseRun, prepared: PreparedRedeem): Promise<void> {
  const { client, options } = run
  const { wallet, blockchain, pinned } = prepared
  let have: getBalances.ReturnType
  try {
    have = await getBalances(client, {
      creditSeed: pinned.creditSeed,
      wallet,
      blockchain,
      signal: options.signal,
    })
  } catch (error) {
    // Not every service tells balances, or tells them to this caller; it refuses itself what cannot be paid.
    const tellsNone = isServiceError(error) ? error.status < 500 : error instanceof InvalidAnswerError
    if (isOpaque(run) && tellsNone) return
    throw error
  }
  // Whole cents, rounded down.
  const within = amountPerCent - 1n
  checkFunds(prepared, {
    credits: centsToAmount(have.credits.cents),
    // Where a chain is read, it tells the USDC.
    usdc: options.publicClient === undefined ? centsToAmount(have.usdc.cents) : undefined,
    within,
  })
}

/** @throws {@link RedeemWouldFailError} when the dry run found a danger */
function refuseByDryRun({ dryRun = [] }: PreparedRedeem): void {
  const dangers = dryRun.filter(({ severity }) => severity === 'danger')
  if (dangers.length > 0) throw new RedeemWouldFailError(dangers)
}

async function sign(run: PurchaseRun, prepared: PreparedRedeem): Promise<SignedRedeem> {
  const { client, options, terms, book, salt } = run
  const { signer, publicClient, usdcVersion, signatures, signal, timeoutMs, now = client.now } = options
  const purchase = purchaseOf(terms, options.purchaseId)
  const openUntil = run.open?.validBefore
  let begun = false
  const signed = await signRedeem(signer, {
    prepared,
    request: terms.request,
    publicClient,
    usdcVersion,
    signatures,
    signal,
    timeoutMs,
    now,
    onStep: async (step) => {
      // After whatever else is in the way, and before the wallet is asked.
      refuseByDryRun(prepared)
      // The salt is kept before the wallet is asked: whatever happens from here on, the nonce stays the same.
      if (step.step === 'signing' && !begun)
        await book?.write({
          version: 1,
          purchase,
          salt,
          signed: run.open?.signed,
          openUntil,
          ...(isOpaque(run) && run.refused && { refused: true }),
        })
      begun = true
      if (step.step === 'permitSigned') run.permitSigned = true
      await tell(run, step)
    },
  })
  await book?.write({ version: 1, purchase, salt, signed, openUntil, ...(run.second && { second: true }) })
  // From here on the caller may hold it.
  run.permitSigned = true
  await tell(run, { step: 'signed', signed })
  return signed
}
