import { getBalances } from '../../api/endpoints/browser/getBalances.ts'
import { amountPerCent, centsToAmount } from '../../core/amount/centsToAmount.ts'
import { checkFunds } from '../check/checkFunds.ts'
import { same } from '../check/sameFields.ts'
import type { PreparedRedeem, SignedRedeem } from '../preparedRedeem.ts'
import { prepareRedeem } from '../prepareRedeem.ts'
import { signRedeem } from '../signRedeem.ts'
import { purchaseOf } from './purchaseRecord.ts'
import { type PurchaseRun, tell } from './purchaseRun.ts'

/** Prepares a purchase with its salt, and asks the wallet. The salt is kept before, what was signed afterwards. */
export async function signPurchase(run: PurchaseRun): Promise<SignedRedeem> {
  return sign(run, await prepare(run))
}

async function prepare(run: PurchaseRun): Promise<PreparedRedeem> {
  const { client, options, terms, salt } = run
  const { publicClient, allowUnbound, signal, now = client.now } = options
  const { request, wallet, chainId, pinned } = terms
  await tell(run, { step: 'preparing' })
  const prepared = await prepareRedeem(client, {
    ...request,
    wallet,
    chainId,
    pinned,
    salt,
    allowUnbound,
    signal,
    now,
  })
  // As long as one nonce may execute, another one would be a second payment.
  const before = run.open?.nonce ?? run.nonce
  if (before !== undefined) same('nonce', before.toLowerCase(), prepared.answer.nonce.toLowerCase())
  await tell(run, { step: 'prepared', prepared })
  if (publicClient === undefined) {
    const { blockchain } = prepared
    const { creditSeed } = pinned
    const { credits, usdc } = await getBalances(client, { creditSeed, wallet, blockchain, signal })
    // Whole cents, rounded down.
    const within = amountPerCent - 1n
    checkFunds(prepared, { credits: centsToAmount(credits.cents), usdc: centsToAmount(usdc.cents), within })
  }
  return prepared
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
      // The salt is kept before the wallet is asked: whatever happens from here on, the nonce stays the same.
      if (step.step === 'signing' && !begun)
        await book?.write({ version: 1, purchase, salt, signed: run.open?.signed, openUntil })
      begun = true
      if (step.step === 'permitSigned') run.permitSigned = true
      await tell(run, step)
    },
  })
  await book?.write({ version: 1, purchase, salt, signed, openUntil })
  // From here on the caller may hold it.
  run.permitSigned = true
  await tell(run, { step: 'signed', signed })
  return signed
}
