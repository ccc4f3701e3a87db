import type { Hex } from 'viem'
import { checkCount } from '../api/clientOptions.ts'
import type { PaymentsClient } from '../api/createPaymentsClient.ts'
import { RequestAbortedError } from '../api/errors.ts'
import { checkOptions, type OptionKinds } from '../core/checkOptions.ts'
import type { InvalidOptionError } from '../core/errors/inputErrors.ts'
import { freeze } from '../core/freeze.ts'
import { unixSeconds } from '../core/time/clock.ts'
import type { EvmClient } from '../evm/client.ts'
import { ChainReadError } from '../evm/client.ts'
import { boundClient } from './boundClient.ts'
import { checkPublicClient } from './chain/checkPublicClient.ts'
import { readBeforeSigning } from './chain/readBeforeSigning.ts'
import { checkPaid } from './check/checkPaid.ts'
import { readPrepared } from './check/readPrepared.ts'
import { refuseByDryRun } from './check/refuseByDryRun.ts'
import {
  type AlreadyRedeemedError,
  type PurchaseMismatchError,
  type PurchaseStorageError,
  RedeemCancelledError,
} from './errors.ts'
import { findRedeem } from './findRedeem.ts'
import type { OpenRedeem } from './openRedeem.ts'
import { checkOtherChains } from './otherChain.ts'
import type { PreparedRedeem, RedeemTerms } from './preparedRedeem.ts'
import { type prepareRedeem, requestOptionKinds } from './prepareRedeem.ts'
import { checkBalances } from './purchase/checkBalances.ts'
import { checkElsewhere } from './purchase/checkElsewhere.ts'
import { type PurchaseRecord, purchaseOf } from './purchase/purchaseRecord.ts'
import { openOf } from './purchase/purchaseRun.ts'
import { purchaseBook } from './purchase/purchaseStorage.ts'
import { checkPurchaseOptions, readPurchaseTerms } from './purchase/readPurchaseTerms.ts'
import { checkCanBeReady, signingSeconds, takePrepared } from './purchase/readReady.ts'
import { takeKept } from './purchase/takeKept.ts'
import { usableRecord } from './purchase/usableRecord.ts'
import type { CheckedPurchase } from './readyRedeem.ts'
import type { RedeemOptions } from './redeemOptions.ts'
import { intentOf } from './request/intentOf.ts'
import { prepareTerms } from './request/prepareTerms.ts'
import { readFormerContracts } from './request/readRedeemTerms.ts'
import { withBridgeAdapter } from './request/withBridgeAdapter.ts'
import { within } from './within.ts'

/**
 * Does everything of a `redeem` that needs a network, before the button is pressed: looks whether the purchase is paid or open, asks
 * the service for the permit, compares it with your request and pins, reads the order, credits and USDC (from the chain with
 * `publicClient`, else from the service), reads the order from `otherChains`, and tries it with `dryRun`. No wallet is asked, nothing is signed, kept or sent.
 *
 * `redeem` with the same options and this result as `ready` asks the wallet at once. Mobile wallets need that: a link to them opens
 * directly after a press only. Call it when the page is shown, and again before `usableUntil`, with `prepared` of the result before,
 * which saves the question to the service as long as that permit lives.
 *
 * @param options the request as for `redeem`, with the same `purchaseId`, `storage`, `publicClient` and `dryRun`
 * @returns plain data, frozen. `state: 'ready'` with what is signed and until when (unix seconds); `open` when an earlier press was
 * signed, and `redeemed` when it is paid, with what moved: then `redeem` goes on with it, or reports it
 * @throws what `redeem` throws before it asks the wallet: InsufficientFundsError with `have` and `need`, RedeemWouldFailError,
 * RedeemCancelledError, OrderUsedError, AlreadyRedeemedError, GasFeeTooHighError, the errors of the request, service, chain and storage; PurchaseMismatchError
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
  const { purchaseId, publicClient, signal, maxAgeSeconds = 60, now = client.now } = options
  const checkedAt = unixSeconds(now)
  const given = options.prepared && takePrepared(options.prepared, read)
  const node = publicClient ?? options.dryRun
  const own = await within(withBridgeAdapter(read, node && boundClient(node, options)), {
    signal,
    onEnd: aborted,
  })
  const record = await readRecord(own, { ...options, now })
  if (record?.hash === undefined) {
    const open = record && openOf(record)
    if (open !== undefined) return opened(open)
  } else if (purchaseId !== undefined || record.salt === given?.salt) return finished(record, own, options)
  const begun = record?.hash === undefined ? record : undefined
  // What was signed with the order and the salt on record is this purchase's.
  const { orderKey, salt } = begun ?? given ?? own
  const terms = { ...own, orderKey, salt }
  // An order that is new, and random, was used nowhere.
  const isNew = (begun ?? given ?? purchaseId) === undefined
  const [paid, elsewhere] = isNew
    ? [undefined, []]
    : await Promise.all([
        publicClient && lookUp(publicClient, terms, options),
        checkElsewhere(terms, options),
      ])
  if (paid !== undefined) return paid
  // What an earlier press had signed is what the next one goes on with.
  const kept = options.dryRun ? undefined : takeKept(begun?.permit, terms, now)
  const livesUntil = checkedAt + BigInt(maxAgeSeconds)
  const prepared =
    kept?.prepared ??
    (given?.salt === terms.salt &&
    given.orderKey === terms.orderKey &&
    given.bridgeAdapter === terms.bridgeAdapter &&
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
    ...(elsewhere.length > 0 && { elsewhere }),
  })
}

export declare namespace checkRedeem {
  type Options = Omit<prepareRedeem.Options, 'allowUnbound' | 'prepared'> &
    Pick<RedeemOptions, 'storage' | 'otherChains' | 'timeoutMs'> & {
      /**
       * What an earlier check, or `prepareRedeem`, has prepared: it is used again while it lives long enough and no other attempt of the
       * order is on record. With `dryRun` it is prepared again.
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
    | checkElsewhere.ErrorType
    | checkOtherChains.ErrorType
    | checkPaid.ErrorType
    | usableRecord.ErrorType
    | withBridgeAdapter.ErrorType
    | checkBalances.ErrorType
    | refuseByDryRun.ErrorType
    | AlreadyRedeemedError
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
  checkOtherChains(options.otherChains)
  checkPurchaseOptions(options)
  const terms = readPurchaseTerms(client, options)
  checkCanBeReady(terms)
  return terms
}

const { allowUnbound: _, ...ownKinds } = requestOptionKinds
const optionKinds: OptionKinds<checkRedeem.Options> = {
  ...ownKinds,
  otherChains: 'any',
  storage: 'any',
  timeoutMs: 'any',
  prepared: 'object?',
  maxAgeSeconds: 'any',
}

/** What is on record of the order, for these terms. */
async function readRecord(
  terms: RedeemTerms,
  options: checkRedeem.Options,
): Promise<PurchaseRecord | undefined> {
  const record = await purchaseBook(purchaseOf(terms), options.storage, options).read()
  return usableRecord(record, terms, options)
}

function opened({ signed: _, ...open }: OpenRedeem): CheckedPurchase {
  return freeze({ state: 'open', open })
}

/** What is on record as paid, with what the chain tells of it as far as it can be read: that it is paid is known without. */
async function finished(
  { orderKey, salt, nonce, hash }: PurchaseRecord,
  terms: RedeemTerms,
  options: checkRedeem.Options,
): Promise<CheckedPurchase> {
  // The record has been read: a nonce stands beside each hash.
  const kept = freeze({ state: 'redeemed', nonce: nonce as Hex, hash } as const)
  if (options.publicClient === undefined) return kept
  // A node that is slow must not keep from anybody that it is paid.
  const soon = { ...options, timeoutMs: Math.min(options.timeoutMs ?? 5_000, 5_000) }
  try {
    return freeze({ ...kept, ...(await lookUp(options.publicClient, { ...terms, orderKey, salt }, soon)) })
  } catch (error) {
    if (error instanceof ChainReadError) return kept
    throw error
  }
}

/**
 * Whether the chain holds this redeem already, or another attempt that pays for the order.
 *
 * @throws OrderUsedError for one that does not
 */
async function lookUp(
  publicClient: EvmClient,
  terms: RedeemTerms,
  options: checkRedeem.Options,
): Promise<Extract<CheckedPurchase, { state: 'redeemed' }> | undefined> {
  const { wallet, chainId, pinned } = terms
  const { nonce } = intentOf(terms)
  const key = { wallet, nonce, creditsContract: pinned.creditsContract, chainId }
  const look = findRedeem(boundClient(publicClient, options), key)
  const found = await within(look, { signal: options.signal, onEnd: aborted })
  if (found.state === 'cancelled') throw new RedeemCancelledError({ nonce, wallet })
  if (found.state === 'unused') return undefined
  const { state, outcome } = found
  if (outcome === undefined) {
    if (state === 'redeemed') return freeze({ state, nonce })
    throw new ChainReadError(`The order of ${wallet} is used, and the node does not tell by which redeem.`, {
      field: 'publicClient',
      fix: 'Ask another node, one that serves older events.',
    })
  }
  checkPaid(outcome, terms, {
    contracts: [pinned.creditsContract, ...readFormerContracts(options.pinned)],
  })
  return freeze({ state: 'redeemed', nonce: outcome.nonce, hash: outcome.hash, outcome })
}

function prepare(
  client: PaymentsClient,
  terms: RedeemTerms,
  options: checkRedeem.Options,
): Promise<PreparedRedeem> {
  const { dryRun } = options
  return prepareTerms(client, terms, { ...options, dryRun: dryRun && boundClient(dryRun, options) })
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
