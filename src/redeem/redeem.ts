import { checkCount } from '../api/clientOptions.ts'
import type { PaymentsClient } from '../api/createPaymentsClient.ts'
import type { getBalances } from '../api/endpoints/browser/getBalances.ts'
import { RequestAbortedError } from '../api/errors.ts'
import { checkOptions, type OptionKinds } from '../core/checkOptions.ts'
import { InvalidOptionError } from '../core/errors/inputErrors.ts'
import type { EvmClient } from '../evm/client/evmClient.ts'
import { redeemIntent } from '../evm/creditPermit/redeemIntent.ts'
import { toSigner } from '../evm/signer/toSigner.ts'
import { checkPublicClient } from './chain/checkPublicClient.ts'
import type { RedeemOutcome } from './chain/lookUpRedeem.ts'
import type { UnboundOutcome } from './chain/lookUpUnbound.ts'
import { checksumOf } from './check/checksumOf.ts'
import type { PurchaseMismatchError, PurchaseStorageError, RedeemWouldFailError } from './errors.ts'
import type { findRedeem } from './findRedeem.ts'
import type { OpenRedeemError } from './openRedeem.ts'
import { prepareOptionKinds, type prepareRedeem } from './prepareRedeem.ts'
import { oneAtATime } from './purchase/oneAtATime.ts'
import { orderSalt, purchaseName, purchaseOf } from './purchase/purchaseRecord.ts'
import { purchaseBook } from './purchase/purchaseStorage.ts'
import { runPurchase } from './purchase/runPurchase.ts'
import type { RedeemOptions, RedeemResult } from './redeemOptions.ts'
import { readRedeemTerms } from './request/readRedeemTerms.ts'
import type { signRedeem } from './signRedeem.ts'
import type { submitRedeem } from './submitRedeem.ts'
import type { waitForRedeem } from './waitForRedeem.ts'
import { within } from './within.ts'

/**
 * Spends credits, and USDC when `usdcAmount` says so, without gas: prepares, checks, asks the wallet, submits, and waits
 * for the chain when `publicClient` is given. Nothing is asked of the wallet before every check has passed, the
 * customer's funds included.
 *
 * **One purchase is paid once.** An identical purchase (wallet, chain, contract, credit seed, merchant, request) that is still
 * open is resumed: looked up, sent again, or waited for, and signed again only with the same salt, hence the same nonce, of
 * which one permit at most can execute. So a second press, another page and a reload make one redeem. With `storage` this
 * outlives the page, without it the process remembers. With `purchaseId`, the merchant's order id, it is exact: one payment
 * for each id, ever; the salt follows from the id, so that the chain itself refuses a second one (of a bound
 * permit; with `allowUnbound` only the storage does). Without an id, what is finished may be bought again. With `salt` you
 * keep the book yourself.
 *
 * With `pinned.intentBound: false`, for services that know no bound nonces, only the storage guards, so nothing is signed unless a
 * Web Lock or the storage's `replaceItem` keeps other pages apart: the nonce is the
 * service's, and the service is trusted to pay for this purchase and nothing else. A fee that moved then takes a second permit
 * while the first one lives, once, because the service is trusted not to use both; whatever else it refuses, the same permit is
 * sent again. The outcome is read from the receipt of the hash that the service named.
 *
 * From the moment a permit has left this machine, every error says so: `isOpenRedeemError` tells, and calling `redeem` again
 * goes on. Helps itself where that is safe: prepares once again with the same salt when the gas fee has moved
 * (`EXCEEDS_AUTHORIZED`; the wallet is asked again); with `publicClient`, looks at the chain when a submit failed, and sends
 * the same again only while the nonce is unused and the permit alive.
 *
 * @param options the request as for `prepareRedeem`, with a `signer`
 * @returns the hash, the nonce and, with `publicClient`, what moved; amounts in raw units (1 USDC is `1_000_000n`). Without
 * `publicClient` the hash is the service's word.
 * @throws before a permit has left: what `prepareRedeem` and `signRedeem` throw, InsufficientFundsError with `have` and `need`,
 * RedeemWouldFailError with `findings` when the `dryRun` found a danger, PurchaseMismatchError for a `purchaseId` of another purchase, PurchaseStorageError when the storage fails
 * @throws afterwards: OutcomeUnknownError, RedeemTimeoutError, RedeemRevertedError and RequestAbortedError, all with remedy
 * `lookUp` and what is needed to go on; RedeemCancelledError and RedeemExpiredError when the chain has decided
 * @see PROTOCOL.md 3 to 7
 * @example
 * ```ts
 * import { createPaymentsClient, redeem } from 'redeemkit'
 * import { privateKeyToAccount } from 'viem/accounts'
 * const client = createPaymentsClient({ baseUrl: 'https://service.example', merchantId: 'shop', blockchain: 'base' })
 * const pay = (orderId: string) =>
 *   redeem(client, {
 *     signer: privateKeyToAccount(`0x${'01'.repeat(32)}`),
 *     chainId: 8453,
 *     subtotal: { cents: 1000 },
 *     usdcAmount: { cents: 400 },
 *     transactionData: { type: 'token', destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
 *     pinned: { creditsContract: '0x5FbDB2315678afecb367f032d93F642f64180aa3', creditSeed: 'my-shop' },
 *     purchaseId: orderId,
 *     storage: globalThis.localStorage,
 *   })
 * ```
 */
export function redeem(
  client: PaymentsClient,
  options: redeem.Options & { publicClient: EvmClient; pinned: { intentBound?: true | undefined } },
): Promise<redeem.ReturnType & { outcome: RedeemOutcome }>
export function redeem(
  client: PaymentsClient,
  options: redeem.Options & { publicClient: EvmClient },
): Promise<redeem.ReturnType & { outcome: RedeemOutcome | UnboundOutcome }>
export function redeem(
  client: PaymentsClient,
  options: redeem.Options & { pinned: { intentBound?: true | undefined } },
): Promise<redeem.ReturnType & { outcome: RedeemOutcome | undefined }>
export function redeem(client: PaymentsClient, options: redeem.Options): Promise<redeem.ReturnType>
export async function redeem(client: PaymentsClient, options: redeem.Options): Promise<redeem.ReturnType> {
  checkRedeemOptions(options)
  const { signer, salt, purchaseId, storage, signal } = options
  const onEnd = () => new RequestAbortedError({ sent: false })
  const wallet =
    options.wallet ?? client.wallet ?? (await within(toSigner(signer).getAddress(), { signal, onEnd }))
  const read = readRedeemTerms(client, { ...options, wallet })
  // An order's salt follows from the order, so that even without any record of it the nonce is the same.
  const terms = purchaseId === undefined ? read : { ...read, salt: orderSalt(purchaseOf(read, purchaseId)) }
  // Refuses what cannot be redeemed at all before anything is asked or kept.
  redeemIntent(terms)
  const alone = { waited: false, locked: false }
  if (salt !== undefined) return runPurchase(client, options, { terms, book: undefined, turn: alone })
  const purchase = purchaseOf(terms, purchaseId)
  const opaque = terms.pinned.intentBound === false
  const book = purchaseBook(purchase, storage, { ...options, opaque })
  return oneAtATime(purchaseName(purchase), {
    subject: checksumOf(purchase),
    across: storage !== undefined,
    signal,
    onWait: () => options.onStep?.({ step: 'waitingForOther' }),
    work: (turn) => runPurchase(client, options, { terms, book, turn }),
  })
}

export declare namespace redeem {
  type Options = RedeemOptions
  type ReturnType = RedeemResult
  type ErrorType =
    | checkOptions.ErrorType
    | prepareRedeem.ErrorType
    | signRedeem.ErrorType
    | submitRedeem.ErrorType
    | findRedeem.ErrorType
    | waitForRedeem.ErrorType
    | getBalances.ErrorType
    | OpenRedeemError
    | PurchaseMismatchError
    | PurchaseStorageError
    | RedeemWouldFailError
}

/** Before anything is signed: what is wrong here must not come out after the submit. */
function checkRedeemOptions(options: redeem.Options): void {
  const { salt, purchaseId, storage, publicClient, dryRun, pinned, ...counts } = checkOptions(
    options,
    optionKinds,
  )
  if (dryRun !== undefined) checkPublicClient(dryRun, 'dryRun')
  if (publicClient !== undefined) checkPublicClient(publicClient)
  for (const key of ['confirmations', 'timeoutMs', 'pollingIntervalMs'] as const) checkCount(counts[key], key)
  const wrong = (field: string, what: string, fix: string) => new InvalidOptionError(what, { field, fix })
  if (
    purchaseId !== undefined &&
    (typeof purchaseId !== 'string' || !/^[^\p{Surrogate}]+$/u.test(purchaseId))
  )
    throw wrong('purchaseId', 'The purchase id is no text.', 'Give the order id as text, or leave it out.')
  if (storage !== undefined && storageFunctions.some((name) => typeof storage?.[name] !== 'function'))
    throw wrong(
      'storage',
      'The storage lacks a function.',
      `Give localStorage, or an object with ${storageFunctions.join(', ')}.`,
    )
  if (salt !== undefined && (purchaseId !== undefined || storage !== undefined))
    throw wrong(
      'salt',
      'With a salt you keep the book yourself.',
      'Give either salt, or storage and purchaseId.',
    )
  if (salt !== undefined && pinned?.intentBound === false)
    throw wrong(
      'salt',
      'A salt brings no nonce back where nonces are bound to nothing.',
      'Give storage and purchaseId instead.',
    )
}

const optionKinds: OptionKinds<redeem.Options> = {
  ...prepareOptionKinds,
  signer: 'any',
  publicClient: 'any',
  usdcVersion: 'any',
  signatures: 'object?',
  storage: 'any',
  purchaseId: 'any',
  onStep: 'function?',
  confirmations: 'any',
  timeoutMs: 'any',
  pollingIntervalMs: 'any',
  sleep: 'function?',
}

const storageFunctions = ['getItem', 'setItem', 'removeItem'] as const
