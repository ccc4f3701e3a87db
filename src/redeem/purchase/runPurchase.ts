import type { Hex } from 'viem'
import type { PaymentsClient } from '../../api/createPaymentsClient.ts'
import { getBalances } from '../../api/endpoints/browser/getBalances.ts'
import { RequestAbortedError } from '../../api/errors.ts'
import { isServiceError } from '../../api/serviceError.ts'
import { amountPerCent, centsToAmount } from '../../core/amount/centsToAmount.ts'
import { BaseError } from '../../core/errors/baseError.ts'
import { showText } from '../../core/errors/showText.ts'
import { redeemIntent } from '../../evm/creditPermit/redeemIntent.ts'
import { boundClient } from '../boundClient.ts'
import { checkFunds } from '../check/checkFunds.ts'
import { same } from '../check/sameFields.ts'
import {
  AlreadyRedeemedError,
  PartlySignedError,
  RedeemCancelledError,
  RedeemExpiredError,
} from '../errors.ts'
import { findRedeem } from '../findRedeem.ts'
import { isOpenRedeemError, type OpenRedeem, openRedeemError, openRedeemOf } from '../openRedeem.ts'
import type { PreparedRedeem, RedeemTerms, SignedRedeem, SubmittedRedeem } from '../preparedRedeem.ts'
import { prepareRedeem } from '../prepareRedeem.ts'
import type { RedeemOptions, RedeemResult } from '../redeemOptions.ts'
import type { RedeemStep } from '../redeemStep.ts'
import { signRedeem } from '../signRedeem.ts'
import { waitForRedeem } from '../waitForRedeem.ts'
import { within } from '../within.ts'
import { type PurchaseRecord, purchaseOf } from './purchaseRecord.ts'
import type { PurchaseBook } from './purchaseStorage.ts'
import { refusalOf, submitSurely } from './submitSurely.ts'

/** One purchase on its way. */
type Run = {
  readonly client: PaymentsClient
  readonly options: RedeemOptions
  readonly terms: RedeemTerms
  /** Where it is kept; `undefined` when the caller keeps the book. */
  readonly book: PurchaseBook | undefined
  /** What goes on: the salt of an earlier call, and what was signed with it. */
  salt: Hex
  signed: SignedRedeem | undefined
  /** There as soon as a permit may have left this machine, in this call or an earlier one. */
  open: OpenRedeem | undefined
  /** The nonce that an earlier call sent, or may have sent: no other one is signed while it can execute. */
  nonce: Hex | undefined
  /** Whether a permit was signed that the caller may hold: its salt must be used again then. */
  permitSigned: boolean
}

/**
 * Brings one purchase from wherever it stands to its end: looks it up, sends it again or waits for it when it was begun
 * before; else prepares, signs and submits it.
 *
 * @param waited whether another call for the same purchase was running when this one came: then what that one finished is
 * what is asked for
 */
export async function runPurchase(
  client: PaymentsClient,
  options: RedeemOptions,
  { terms, book, waited }: { terms: RedeemTerms; book: PurchaseBook | undefined; waited: boolean },
): Promise<RedeemResult> {
  const record = await book?.read()
  // What is finished may be bought again, unless an id says that it is the same.
  const begun = record?.hash === undefined || options.purchaseId !== undefined || waited ? record : undefined
  // Another page that waits must not take the earlier one for this one.
  if (begun === undefined && record !== undefined) await book?.remove()
  const run: Run = {
    client,
    options,
    terms,
    book,
    salt: begun?.salt ?? terms.salt,
    signed: begun?.signed,
    open: begun && openOf(begun),
    nonce: begun?.nonce,
    permitSigned: false,
  }
  try {
    const known = begun ?? options.salt ?? options.purchaseId
    const result = known === undefined ? undefined : await resume(run, begun)
    return result ?? (await pay(run, begun !== undefined))
  } catch (error) {
    await forget(run, error)
    const shown = run.open === undefined ? error : openRedeemError(error, run.open)
    // A part of the page that cannot be loaded must not hide the error.
    await tellRevert(shown, options.transactionData).catch(() => undefined)
    throw shown
  }
}

/** What may execute of a purchase that was begun before. */
function openOf({ signed, hash, openUntil = '0' }: PurchaseRecord): OpenRedeem | undefined {
  return signed && longest(openRedeemOf(signed, hash), openUntil)
}

/** Of two permits with one nonce, either may execute as long as it lives. */
function longest(open: OpenRedeem, other: string): OpenRedeem {
  return BigInt(other) > BigInt(open.validBefore) ? { ...open, validBefore: other } : open
}

/** What became of a purchase that was begun before; `undefined` when there is something left to do. */
async function resume(run: Run, record: PurchaseRecord | undefined): Promise<RedeemResult | undefined> {
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
    return await wait(run, key, undefined)
  } catch (error) {
    if (!(error instanceof RedeemExpiredError)) throw error
    // It can never execute any more: the same salt may be signed anew.
    run.signed = run.open = run.nonce = undefined
    return undefined
  }
}

/** Signs what is not signed yet, and sends it. */
async function pay(run: Run, resumed: boolean): Promise<RedeemResult> {
  const { client, options, terms } = run
  const { publicClient, signal, sleep } = options
  for (let again = false; ; again = true) {
    try {
      run.signed ??= await sign(run, await prepare(run))
    } catch (error) {
      // The permit that had left before has made it, or was cancelled: its end counts at the depth that was asked for.
      if (
        run.open === undefined ||
        !(error instanceof AlreadyRedeemedError || error instanceof RedeemCancelledError)
      )
        throw error
      return await wait(run, keyOf(run, run.open.nonce), undefined)
    }
    const { signed } = run
    const { request } = terms
    const pinned = { ...terms.pinned, maxGasFeeCents: signed.prepared.pinned.maxGasFeeCents }
    try {
      const submitted = await submitSurely(client, signed, {
        publicClient: publicClient && boundClient(publicClient, options),
        timeoutMs: options.timeoutMs,
        pinned,
        request,
        tell: (step) => tell(run, step),
        onLeft: () => left(run, signed),
        signal,
        sleep,
      })
      left(run, signed, submitted)
      if (submitted !== undefined) await tell(run, { step: 'submitted', submitted })
      const key = keyOf(run, signed.prepared.answer.nonce as Hex) // a checked answer's nonce is 32 bytes
      // Without a public client, a submit that gave no hash has thrown.
      if (publicClient !== undefined) return await wait(run, key, submitted)
      return await finish(run, { ...key, hash: (submitted as SubmittedRedeem).hash, outcome: undefined })
    } catch (cause) {
      if (again || !mayPrepareAgain(cause, signed.prepared, resumed)) throw cause
      await tell(run, { step: 'preparingAgain', cause })
      run.signed = undefined
    }
  }
}

async function prepare(run: Run): Promise<PreparedRedeem> {
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

async function sign(run: Run, prepared: PreparedRedeem): Promise<SignedRedeem> {
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

/** Follows the nonce on the chain to its end. */
async function wait(
  run: Run,
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
    hash: submitted?.hash,
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
  return finish(run, { ...key, hash: outcome.hash, outcome })
}

/** Keeps that it is done. What the storage fails to keep is found out again by the next call. */
async function finish(run: Run, result: RedeemResult): Promise<RedeemResult> {
  const { options, terms, book, salt, signed } = run
  const { hash, nonce, outcome } = result
  const purchase = purchaseOf(terms, options.purchaseId)
  try {
    if (options.purchaseId === undefined && options.storage === undefined) await book?.remove()
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

/** Takes a purchase of which nothing is signed, or that was cancelled, out of the book. */
async function forget({ book, open, permitSigned }: Run, error: unknown): Promise<void> {
  const over = error instanceof RedeemCancelledError
  if (!over && (open !== undefined || permitSigned || error instanceof PartlySignedError)) return
  // Left in the book it blocks nothing: the next call takes its salt.
  await book?.remove().catch(() => undefined)
}

/** Adds why a simulation failed, where the ABI that the request was built with tells what the service cannot. */
async function tellRevert(error: unknown, transactionData: object): Promise<void> {
  if (!(error instanceof BaseError)) return
  const refusal = [error, error.cause].find(isServiceError)
  if (refusal?.revertData === undefined) return
  // Rarely needed, so it is loaded when there is something to decode.
  const { decodeRevert } = await import('../../evm/revert/decodeRevert.ts')
  const { name, reason, args } = decodeRevert({ data: refusal.revertData, transactionData })
  Object.assign(refusal, { revertReason: reason })
  // Its own words are quoted.
  error.message += `\nThe contract says: ${name === 'Error' ? showText(String(args.reason)) : reason}`
}

function left(run: Run, signed: SignedRedeem, submitted?: SubmittedRedeem): void {
  run.open = longest(openRedeemOf(signed, submitted?.hash), run.open?.validBefore ?? '0')
}

async function tell({ options: { onStep, signal } }: Run, step: RedeemStep): Promise<void> {
  await within(Promise.resolve(onStep?.(step)), { signal, onEnd: aborted })
}

const aborted = () => new RequestAbortedError({ sent: false })

function keyOf({ terms: { wallet, pinned, chainId } }: Run, nonce: Hex) {
  return { wallet, nonce, creditsContract: pinned.creditsContract, chainId }
}

/**
 * Whether the same redeem may be signed once more, with the same nonce: the fee has moved; or, for one that was begun
 * earlier, the service does not know it any more. Two unbound permits could both execute.
 */
function mayPrepareAgain(cause: unknown, { bound }: PreparedRedeem, resumed: boolean): boolean {
  const code = bound && isOpenRedeemError(cause) ? refusalOf(cause)?.code : undefined
  return code === 'EXCEEDS_AUTHORIZED' || (resumed && (code === 'PERMIT_EXPIRED' || code === 'UNKNOWN_NONCE'))
}
