import type { Hex } from 'viem'
import { checkCount } from '../api/clientOptions.ts'
import type { PaymentsClient } from '../api/createPaymentsClient.ts'
import { RequestAbortedError } from '../api/errors.ts'
import { checkOptions, type OptionKinds } from '../core/checkOptions.ts'
import type { InvalidOptionError } from '../core/errors/inputErrors.ts'
import { freeze } from '../core/freeze.ts'
import { unixSeconds } from '../core/time/clock.ts'
import { ChainReadError } from '../evm/client/chainReadError.ts'
import type { EvmClient } from '../evm/client/evmClient.ts'
import { redeemIntent } from '../evm/creditPermit/redeemIntent.ts'
import { boundClient } from './boundClient.ts'
import { checkPublicClient } from './chain/checkPublicClient.ts'
import { readBeforeSigning } from './chain/readBeforeSigning.ts'
import { readPrepared } from './check/readPrepared.ts'
import { refuseByDryRun } from './check/refuseByDryRun.ts'
import { type PurchaseMismatchError, type PurchaseStorageError, RedeemCancelledError } from './errors.ts'
import { findRedeem } from './findRedeem.ts'
import type { OpenRedeem } from './openRedeem.ts'
import type { PreparedRedeem, RedeemTerms } from './preparedRedeem.ts'
import { prepareOptionKinds, prepareRedeem } from './prepareRedeem.ts'
import { checkBalances } from './purchase/checkBalances.ts'
import { type PurchaseRecord, purchaseOf } from './purchase/purchaseRecord.ts'
import { openOf } from './purchase/purchaseRun.ts'
import { purchaseBook } from './purchase/purchaseStorage.ts'
import { checkPurchaseOptions, readPurchaseTerms } from './purchase/readPurchaseTerms.ts'
import { checkCanBeReady, signingSeconds, takePrepared } from './purchase/readReady.ts'
import { takeKept } from './purchase/takeKept.ts'
import type { CheckedPurchase } from './readyRedeem.ts'
import type { RedeemOptions } from './redeemOptions.ts'
import { within } from './within.ts'

/**
 * Does everything of a `redeem` that needs a network, before the button is pressed: looks whether the purchase is paid or open, asks
 * the service for the permit, compares it with your request and pins, reads nonce, credits and USDC (from the chain with
 * `publicClient`, else from the service), and tries it with `dryRun`. No wallet is asked, nothing is signed, kept or sent.
 *
 * `redeem` with the same options and this result as `ready` asks the wallet at once. Mobile wallets need that: a link to them opens
 * directly after a press only. Call it when the page is shown, and again before `usableUntil`, with `prepared` of the result before,
 * which saves the question to the service as long as that permit lives.
 *
 * @param options the request as for `redeem`, with the same `purchaseId`, `storage`, `publicClient` and `dryRun`
 * @returns plain data, frozen. `state: 'ready'` with what is signed and until when (unix seconds); `open` when an earlier press was
 * signed, and `redeemed` when it is paid, with what moved: then `redeem` goes on with it, or reports it
 * @throws what `redeem` throws before it asks the wallet: InsufficientFundsError with `have` and `need`, RedeemWouldFailError,
 * RedeemCancelledError, GasFeeTooHighError, the errors of the request, service, chain and storage; PurchaseMismatchError
 * @throws PreparedMismatchError and StoredRedeemError for a `prepared` of something else; InvalidOptionError with the pin
 * `intentBound: false`, and UnboundPermitError: where nonces commit to nothing, call `redeem` alone
 * @see PROTOCOL.md 7.5
 * @example
 * ```ts
 * import { checkRedeem, createPaymentsClient, type PurchaseStorage, redeem } from 'redeemkit'
 * import { privateKeyToAccount } from 'viem/accounts'
 * const signer = privateKeyToAccount(`0x${'01'.repeat(32)}`)
 * const client = createPaymentsClient({ baseUrl: 'https://service.example', merchantId: 'shop', blockchain: 'base', wallet: signer.address })
 * const options = (purchaseId: string, storage: PurchaseStorage) => ({
 *   purchaseId,
 *   storage,
 *   chainId: 8453,
 *   subtotal: { cents: 1000 },
 *   transactionData: { type: 'token' as const, destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' as const },
 *   pinned: { creditsContract: '0x5FbDB2315678afecb367f032d93F642f64180aa3' as const, creditSeed: 'my-shop' },
 * })
 * const onShow = (order: string) => checkRedeem(client, options(order, globalThis.localStorage))
 * const onPress = (order: string, ready: checkRedeem.ReturnType) =>
 *   redeem(client, { ...options(order, globalThis.localStorage), signer, ready })
 * ```
 */
export async function checkRedeem(
  client: PaymentsClient,
  options: checkRedeem.Options,
): Promise<CheckedPurchase> {
  const read = readOptions(client, options)
  const { salt, purchaseId, publicClient, maxAgeSeconds = 60, now = client.now } = options
  const checkedAt = unixSeconds(now)
  const given = options.prepared && takePrepared(options.prepared, read, options)
  const record = await readRecord(read, options)
  if (record?.hash === undefined) {
    const open = record && openOf(record)
    if (open !== undefined) return opened(open)
  } else if (purchaseId !== undefined || record.salt === given?.salt) return finished(record, read, options)
  const begun = record?.hash === undefined ? record : undefined
  // Something may have been signed with the salt on record: that one is the purchase's.
  const terms = { ...read, salt: begun?.salt ?? given?.salt ?? read.salt }
  if (publicClient !== undefined && (begun ?? given ?? salt ?? purchaseId) !== undefined) {
    const paid = await lookUp(publicClient, terms, options)
    if (paid !== undefined) return paid
  }
  // What an earlier press had signed is what the next one goes on with.
  const kept = options.dryRun ? undefined : takeKept(begun?.permit, terms, now)
  const livesUntil = checkedAt + BigInt(maxAgeSeconds)
  const prepared =
    kept?.prepared ??
    (given?.salt === terms.salt &&
    options.dryRun === undefined &&
    BigInt(given.answer.validBefore) >= livesUntil + signingSeconds
      ? given
      : await prepare(client, terms, options))
  refuseByDryRun(prepared)
  const hasCode = await checkMeans(client, prepared, options)
  const end = BigInt(prepared.answer.validBefore) - signingSeconds
  return freeze({
    version: 1,
    state: 'ready',
    prepared,
    prompts: [
      ...(kept ? [] : (['creditPermit'] as const)),
      ...(prepared.typedData.usdcAuthorization ? (['usdcAuthorization'] as const) : []),
    ],
    checkedAt: `${checkedAt}`,
    usableUntil: `${end < livesUntil ? end : livesUntil}`,
    ...(hasCode !== undefined && { hasCode }),
  })
}

export declare namespace checkRedeem {
  type Options = Omit<prepareRedeem.Options, 'allowUnbound'> &
    Pick<RedeemOptions, 'publicClient' | 'storage' | 'purchaseId' | 'timeoutMs'> & {
      /**
       * What an earlier check, or `prepareRedeem`, has prepared: it is taken again while it lives long enough, and is of the salt that the
       * purchase has. With `dryRun` it is prepared anew.
       */
      prepared?: PreparedRedeem | undefined
      /** How old the checks may be at the press, in seconds. Default 60. */
      maxAgeSeconds?: number | undefined
    }
  type ReturnType = CheckedPurchase
  type ErrorType =
    | checkOptions.ErrorType
    | prepareRedeem.ErrorType
    | findRedeem.ErrorType
    | readBeforeSigning.ErrorType
    | readPurchaseTerms.ErrorType
    | checkPurchaseOptions.ErrorType
    | takePrepared.ErrorType
    | checkBalances.ErrorType
    | refuseByDryRun.ErrorType
    | PurchaseMismatchError
    | PurchaseStorageError
    | InvalidOptionError
    | RedeemCancelledError
    | RequestAbortedError
}

function readOptions(client: PaymentsClient, options: checkRedeem.Options): RedeemTerms {
  const { publicClient, dryRun, maxAgeSeconds, timeoutMs } = checkOptions(options, optionKinds)
  if (dryRun !== undefined) checkPublicClient(dryRun, 'dryRun')
  if (publicClient !== undefined) checkPublicClient(publicClient)
  checkCount(maxAgeSeconds, 'maxAgeSeconds')
  checkCount(timeoutMs, 'timeoutMs')
  checkPurchaseOptions(options)
  const terms = readPurchaseTerms(client, options)
  checkCanBeReady(terms)
  return terms
}

const { allowUnbound: _, ...ownPrepareKinds } = prepareOptionKinds
const optionKinds: OptionKinds<checkRedeem.Options> = {
  ...ownPrepareKinds,
  publicClient: 'any',
  storage: 'any',
  purchaseId: 'any',
  timeoutMs: 'any',
  prepared: 'object?',
  maxAgeSeconds: 'any',
}

/** What is on record of the purchase; nothing where the caller keeps the book. */
async function readRecord(
  terms: RedeemTerms,
  options: checkRedeem.Options,
): Promise<PurchaseRecord | undefined> {
  if (options.salt !== undefined) return undefined
  return purchaseBook(purchaseOf(terms, options.purchaseId), options.storage, options).read()
}

function opened({ signed: _, ...open }: OpenRedeem): CheckedPurchase {
  return freeze({ state: 'open', open })
}

/** What is on record as paid, with what the chain tells of it as far as it can be read: that it is paid is known without. */
async function finished(
  { salt, nonce, hash }: PurchaseRecord,
  terms: RedeemTerms,
  options: checkRedeem.Options,
): Promise<CheckedPurchase> {
  // The record has been read: a nonce stands beside each hash.
  const kept = freeze({ state: 'redeemed', nonce: nonce as Hex, hash } as const)
  if (options.publicClient === undefined) return kept
  // A node that is slow must not keep from anybody that it is paid.
  const soon = { ...options, timeoutMs: Math.min(options.timeoutMs ?? 5_000, 5_000) }
  try {
    return freeze({ ...kept, ...(await lookUp(options.publicClient, { ...terms, salt }, soon)) })
  } catch (error) {
    if (error instanceof ChainReadError) return kept
    throw error
  }
}

/** Whether the chain holds this redeem already, by whatever way it came there. */
async function lookUp(
  publicClient: EvmClient,
  terms: RedeemTerms,
  options: checkRedeem.Options,
): Promise<Extract<CheckedPurchase, { state: 'redeemed' }> | undefined> {
  const { wallet, chainId, pinned } = terms
  const { nonce } = redeemIntent(terms)
  const key = { wallet, nonce, creditsContract: pinned.creditsContract, chainId }
  const look = findRedeem(boundClient(publicClient, options), key)
  const found = await within(look, { signal: options.signal, onEnd: aborted })
  if (found.state === 'cancelled') throw new RedeemCancelledError({ nonce, wallet })
  if (found.state !== 'redeemed') return undefined
  const { outcome } = found
  return freeze({ state: 'redeemed', nonce, ...(outcome && { hash: outcome.hash, outcome }) })
}

function prepare(
  client: PaymentsClient,
  terms: RedeemTerms,
  options: checkRedeem.Options,
): Promise<PreparedRedeem> {
  const { request, wallet, chainId, pinned, salt } = terms
  const { dryRun, signal, now = client.now } = options
  return prepareRedeem(client, {
    ...request,
    // The caller's own object: with it goes the ABI that its builder was given.
    transactionData: options.transactionData,
    wallet,
    chainId,
    pinned,
    salt,
    dryRun: dryRun && boundClient(dryRun, options),
    signal,
    now,
  })
}

/**
 * Looks whether the customer can pay, and what is needed to judge a signature.
 *
 * @returns whether there is code at the wallet; `undefined` when no chain is read
 */
async function checkMeans(
  client: PaymentsClient,
  prepared: PreparedRedeem,
  options: checkRedeem.Options,
): Promise<boolean | undefined> {
  const { publicClient, signal, now = client.now } = options
  if (publicClient === undefined) {
    await checkBalances(client, prepared, options)
    // Judges a signature without a chain: loaded now, since nothing may be loaded between the first prompt and the second.
    if (prepared.typedData.usdcAuthorization) await import('../evm/signature/recoverSigner.ts')
    return undefined
  }
  const { pinned, request } = prepared
  const checked = readPrepared(prepared, { pinned, request, now })
  const read = readBeforeSigning(boundClient(publicClient, options), checked)
  return within(read, { signal, onEnd: aborted })
}

const aborted = () => new RequestAbortedError({ sent: false })
