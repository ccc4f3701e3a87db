import { checkCount } from '../api/clientOptions.ts'
import type { PaymentsClient } from '../api/createPaymentsClient.ts'
import type { getBalances } from '../api/endpoints/browser/getBalances.ts'
import { RequestAbortedError } from '../api/errors.ts'
import { checkOptions, type OptionKinds } from '../core/checkOptions.ts'
import type { EvmClient } from '../evm/client.ts'
import { toSigner } from '../evm/signer/toSigner.ts'
import { boundClient } from './boundClient.ts'
import { checkPublicClient } from './chain/checkPublicClient.ts'
import type { RedeemOutcome } from './chain/lookUpRedeem.ts'
import type { UnboundOutcome } from './chain/lookUpUnbound.ts'
import { checksumOf } from './check/checksumOf.ts'
import type {
  AlreadyRedeemedError,
  OrderUsedError,
  PurchaseMismatchError,
  PurchaseStorageError,
  RedeemWouldFailError,
} from './errors.ts'
import type { findRedeem } from './findRedeem.ts'
import type { OpenRedeemError } from './openRedeem.ts'
import type { OtherAttemptError } from './otherAttemptError.ts'
import { checkOtherChains } from './otherChain.ts'
import type { PreparedRedeem, RedeemTerms } from './preparedRedeem.ts'
import { type prepareRedeem, requestOptionKinds } from './prepareRedeem.ts'
import { oneAtATime } from './purchase/oneAtATime.ts'
import { purchaseName, purchaseOf } from './purchase/purchaseRecord.ts'
import { purchaseBook } from './purchase/purchaseStorage.ts'
import { checkPurchaseOptions, readPurchaseTerms } from './purchase/readPurchaseTerms.ts'
import { readReady } from './purchase/readReady.ts'
import { runPurchase } from './purchase/runPurchase.ts'
import type { RedeemOptions, RedeemResult } from './redeemOptions.ts'
import { withBridgeAdapter } from './request/withBridgeAdapter.ts'
import type { signRedeem } from './signRedeem.ts'
import type { submitRedeem } from './submitRedeem.ts'
import type { waitForRedeem } from './waitForRedeem.ts'
import { within } from './within.ts'

/**
 * Spends credits, and USDC when `usdcAmount` says so, without gas: prepares, checks, asks the wallet, submits, and waits
 * for the chain when `publicClient` is given. Nothing is asked of the wallet before every check has passed, the
 * customer's funds included.
 *
 * **One order is paid once.** `purchaseId` names the order: a credits contract redeems one attempt of it at most, whatever price,
 * cart, device or salt the attempts have. Without an id each identical purchase (wallet, chain, contract, credit seed, merchant,
 * request) is an order until it is finished; then it may be bought again. An open attempt is resumed: looked up, sent again, or
 * waited for. While its permit may execute, `redeem` signs no other terms, chain or wallet for the order. With `storage` this
 * outlives the page, without it the process remembers; a lost record costs one more prompt. Across chains the service refuses a
 * second payment, and `otherChains` are read before the wallet is asked.
 *
 * **Used is not paid.** A redeem of another attempt counts as paid only when its event fits this order: contract, credit seed, kind,
 * receiver and amount. Otherwise `OrderUsedError` names both amounts. When the service refuses a submit because the order is paid on another
 * chain, the `cause` of the `OutcomeUnknownError` is what `otherChains` show: AlreadyRedeemedError or OrderUsedError.
 *
 * With `pinned.intentBound: false`, for services that know no bound nonces, only the storage guards, so nothing is signed unless a
 * Web Lock or the storage's `replaceItem` keeps other pages apart. A `purchaseId` without a storage is refused. The nonce is the
 * service's, and the service is trusted to pay for this purchase and nothing else. A fee that moved then takes a second permit
 * while the first one lives, once, because the service is trusted not to use both; whatever else it refuses, the same permit is
 * sent again. The outcome is read from the receipt of the hash that the service named.
 *
 * **No network between the press and the wallet**, with `ready` from `checkRedeem`: then the wallet is asked at once, of what was
 * checked before. It holds for its own purchase only; with another request, wallet, chain, pins or order it is refused before
 * anything is asked. What is older than it may be, was checked with less than is given here, or is of a purchase that was begun or
 * paid meanwhile (another page, another press) is not used: the purchase goes the usual way, which asks the network first.
 * One `ready` is one purchase: pressed again when it is finished, the finished one is reported. Where a second prompt needs a second
 * press, let `onStep` wait for that at `signing` of the `usdcAuthorization`: nothing is asked in between. After a no to it, or a reload, the
 * permit is kept, and the next call asks for the USDC authorization alone, unless there is a `dryRun`.
 *
 * From the moment a permit has left this machine, every error says so: `isOpenRedeemError` tells, and calling `redeem` again
 * goes on. Helps itself where that is safe: prepares once again with the same nonce when the gas fee has moved
 * (`EXCEEDS_AUTHORIZED`; the wallet is asked again); with `publicClient`, looks at the chain when a submit failed, and sends
 * the same again only while the nonce is unused and the permit alive.
 *
 * @param options the request as for `prepareRedeem`, with a `signer`
 * @returns the hash, the nonce and, with `publicClient`, what moved; amounts in raw units (1 USDC is `1_000_000n`). Without
 * `publicClient` the hash is the service's word.
 * @throws before a permit has left: what `prepareRedeem` and `signRedeem` throw, InsufficientFundsError with `have` and `need`,
 * RedeemWouldFailError with `findings` when the `dryRun` found a danger, PreparedMismatchError and StoredRedeemError for a `ready` of something else, PurchaseMismatchError for an order with another open attempt, AlreadyRedeemedError for one that was paid elsewhere, PurchaseStorageError when the storage fails
 * @throws afterwards: OutcomeUnknownError, RedeemTimeoutError, RedeemRevertedError and RequestAbortedError, all with remedy
 * `lookUp` and what is needed to go on; OrderUsedError, RedeemCancelledError and RedeemExpiredError when the chain has decided
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
  const { signer, storage, publicClient, signal } = options
  const onEnd = () => new RequestAbortedError({ sent: false })
  const wallet =
    options.wallet ?? client.wallet ?? (await within(toSigner(signer).getAddress(), { signal, onEnd }))
  const read = readPurchaseTerms(client, { ...options, wallet })
  const ready = readReady(options.ready, read, { now: client.now, ...options })
  const node = publicClient && boundClient(publicClient, options)
  const terms =
    ready === undefined
      ? await within(withBridgeAdapter(read, node), { signal, onEnd })
      : sameOrderAs(ready.prepared, read)
  const purchase = purchaseOf(terms)
  const opaque = terms.pinned.intentBound === false
  const book = purchaseBook(purchase, storage, { ...options, opaque })
  return oneAtATime(purchaseName(purchase), {
    subject: checksumOf(purchase),
    across: storage !== undefined,
    signal,
    onWait: () => options.onStep?.({ step: 'waitingForOther' }),
    work: (turn) => runPurchase(client, options, { terms, book, turn, ready }),
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
    | Exclude<waitForRedeem.ErrorType, OtherAttemptError>
    | getBalances.ErrorType
    | readPurchaseTerms.ErrorType
    | withBridgeAdapter.ErrorType
    | checkOtherChains.ErrorType
    | readReady.ErrorType
    | OpenRedeemError
    | AlreadyRedeemedError
    | OrderUsedError
    | PurchaseMismatchError
    | PurchaseStorageError
    | RedeemWouldFailError
}

/** Before anything is signed: what is wrong here must not come out after the submit. */
function checkRedeemOptions(options: redeem.Options): void {
  const { publicClient, dryRun, ...counts } = checkOptions(options, optionKinds)
  if (dryRun !== undefined) checkPublicClient(dryRun, 'dryRun')
  if (publicClient !== undefined) checkPublicClient(publicClient)
  for (const key of ['confirmations', 'timeoutMs', 'pollingIntervalMs'] as const) checkCount(counts[key], key)
  checkOtherChains(options.otherChains)
  checkPurchaseOptions(options)
}

/** Terms that go on with what was prepared for them. */
function sameOrderAs({ orderKey, salt, bridgeAdapter }: PreparedRedeem, terms: RedeemTerms): RedeemTerms {
  return { ...terms, orderKey, salt, ...(bridgeAdapter && { bridgeAdapter }) }
}

const optionKinds: OptionKinds<redeem.Options> = {
  ...requestOptionKinds,
  signer: 'any',
  otherChains: 'any',
  usdcVersion: 'any',
  signatures: 'object?',
  storage: 'any',
  ready: 'object?',
  onStep: 'function?',
  confirmations: 'any',
  timeoutMs: 'any',
  pollingIntervalMs: 'any',
  sleep: 'function?',
}
