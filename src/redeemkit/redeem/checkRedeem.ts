import type { Hex } from 'viem'
import { checkCount } from '../api/clientOptions.ts'
import type { PaymentsClient } from '../api/createPaymentsClient.ts'
import type { getBalances } from '../api/endpoints/customer.ts'
import { checkOptions, type OptionKinds } from '../core/checkOptions.ts'
import { unixSeconds } from '../core/clock.ts'
import { freeze } from '../core/freeze.ts'
import { ChainReadError, type EvmClient } from '../evm/client.ts'
import { loadCurve } from '../evm/signature/verifyDigest.ts'
import { inTime, takesIntent } from '../evm/signer/signTypedData.ts'
import { type EvmSigner, toSigner } from '../evm/signer/toSigner.ts'
import { readBeforeSigning } from './chain/readBeforeSigning.ts'
import { readBlock } from './chain/readBlocks.ts'
import { checkNodes } from './chain/redeemKey.ts'
import { checkBalances } from './check/checkFunds.ts'
import { checkPaid } from './check/checkPaid.ts'
import { intentOf, withBridgeAdapter } from './check/intentOf.ts'
import { prepareTerms, readPurchaseTerms, refuseByDryRun } from './check/prepareTerms.ts'
import type { readPrepared } from './check/readPrepared.ts'
import { type PurchaseStorageError, RedeemCancelledError, type RedeemWouldFailError } from './errors.ts'
import { findRedeem } from './findRedeem.ts'
import type { PreparedRedeem, RedeemTerms } from './preparedRedeem.ts'
import { type prepareRedeem, requestOptionKinds } from './prepareRedeem.ts'
import { checkOtherChains, checkOtherContracts } from './purchase/checkOtherContracts.ts'
import { type PurchaseRecord, purchaseOf } from './purchase/purchaseRecord.ts'
import { openOf } from './purchase/purchaseRun.ts'
import { checkPurchaseOptions, purchaseStore } from './purchase/purchaseStorage.ts'
import {
  checkCanBeReady,
  minimumSigningSeconds,
  readStoredPermit,
  takePrepared,
} from './purchase/readReady.ts'
import { usableRecord } from './purchase/usableRecord.ts'
import type { CheckedPurchase, RedeemOptions } from './redeemOptions.ts'
import { boundClient, within } from './within.ts'

/**
 * Runs every part of `redeem` that needs a network before the customer clicks: checks whether the order is paid or open, requests the
 * permit, compares it with your request and pins, and reads the funds. Opens no wallet; signs, stores and submits nothing.
 *
 * Pass the result to `redeem` as `ready`, with the same options, to open the wallet without a network request. Mobile wallets need
 * that: phones open another app only directly after a click. Call `checkRedeem` when the page is shown, and again before `usableUntil`
 * with `prepared` of the previous result, which saves a request to the service.
 *
 * @returns frozen plain data: `ready` with the data to sign and its expiry (unix seconds), `open` if a signed redeem may be submitted
 * already, or `redeemed`
 * @throws the errors of `redeem` before it opens the wallet; PreparedMismatchError and StoredRedeemError for a `prepared` of another
 * redeem; InvalidOptionError and RandomNonceError if nonces are random: call `redeem` without a check instead
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
 * const onClick = (order: string, ready: checkRedeem.ReturnType) =>
 *   redeem(client, { ...options(order, globalThis.localStorage), signer, ready })
 * ```
 */
export async function checkRedeem(
  client: PaymentsClient,
  options: checkRedeem.Options,
): Promise<CheckedPurchase> {
  const read = readOptions(client, options)
  const { purchaseId, publicClient, signer, signal, maxAgeSeconds = 60, now = client.now } = options
  const checkedAt = unixSeconds(now)
  const given = options.prepared && takePrepared(options.prepared, read)
  const node = publicClient ?? options.dryRun
  const own = await within(withBridgeAdapter(read, boundClient(node, options)), { signal })
  const record = await readRecord(own, { ...options, now })
  const isFinished = record?.hash !== undefined
  const isSame = purchaseId !== undefined || record?.salt === given?.salt
  const done = isFinished && isSame ? await finished(record, own, options) : undefined
  if (done !== undefined) return done
  const unfinished = record && !isFinished ? openOf(record) : undefined
  if (record && unfinished !== undefined) {
    const { signed: _, ...open } = unfinished
    const { orderKey, salt } = record
    const look = publicClient && lookUp(publicClient, { ...own, orderKey, salt }, soon(options))
    // A failed look-up counts as no payment: the purchase stays open, and `redeem` finds out what happened.
    const paid = await look?.catch((error: unknown) => {
      if (signal?.aborted) throw error
      return undefined
    })
    return paid ?? freeze({ state: 'open', open })
  }
  const begun = isFinished && !isSame ? undefined : record
  // Anything signed with the recorded order key and salt belongs to this purchase.
  const { orderKey, salt } = begun ?? given ?? own
  const terms = { ...own, orderKey, salt }
  // A new random order key cannot have been used.
  const isNew = (begun ?? given ?? purchaseId) === undefined
  const [paid, elsewhere] = isNew
    ? [undefined, []]
    : await Promise.all([
        publicClient && lookUp(publicClient, terms, options),
        checkOtherContracts(terms, options),
      ])
  if (paid !== undefined) return paid
  // Reuse a permit that an earlier click signed.
  const kept = readStoredPermit(begun?.permit, terms, now)
  const livesUntil = checkedAt + BigInt(maxAgeSeconds)
  const announced = signer && askForIntent(signer, terms)
  const prepared =
    kept?.prepared ??
    (given?.salt === terms.salt &&
    given.orderKey === terms.orderKey &&
    given.bridgeAdapter === terms.bridgeAdapter &&
    options.dryRun === undefined &&
    BigInt(given.answer.validBefore) >= livesUntil + minimumSigningSeconds
      ? given
      : await prepareTerms(client, terms, options))
  // Before `refuseByDryRun`, because this error has the amounts for the customer.
  const hasCode = await checkFundsOf(client, prepared, options)
  refuseByDryRun(prepared)
  const takes = await announced
  const end = BigInt(prepared.answer.validBefore) - minimumSigningSeconds
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
    ...(takes !== undefined && { takesIntent: takes }),
    ...(elsewhere.length > 0 && { elsewhere }),
  })
}

export declare namespace checkRedeem {
  type Options = Omit<prepareRedeem.Options, 'allowRandomNonce' | 'prepared'> &
    Pick<RedeemOptions, 'storage' | 'otherChains' | 'timeoutMs'> & {
      /**
       * Result of an earlier check or of `prepareRedeem`. Reused while it is valid long enough and the order has no other
       * recorded attempt. With `dryRun`, the redeem is prepared again, unless its permit is already signed.
       */
      prepared?: PreparedRedeem | undefined
      /** The signer of the redeem. Its wallet's capabilities are read now, without a prompt, so that the click does not wait for them. */
      signer?: EvmSigner | undefined
      /** Maximum age of the checks at the click, in seconds. Default 60. */
      maxAgeSeconds?: number | undefined
    }
  type ReturnType = CheckedPurchase
  type ErrorType =
    | prepareRedeem.ErrorType
    | findRedeem.ErrorType
    | readBeforeSigning.ErrorType
    | readPrepared.ErrorType
    | loadCurve.ErrorType
    | toSigner.ErrorType
    | checkOtherContracts.ErrorType
    | usableRecord.ErrorType
    | getBalances.ErrorType
    | RedeemWouldFailError
    | PurchaseStorageError
}

function readOptions(client: PaymentsClient, options: checkRedeem.Options): RedeemTerms {
  checkOptions(options, optionKinds)
  checkPurchaseOptions(options)
  checkNodes(options)
  for (const key of ['maxAgeSeconds', 'timeoutMs'] as const) checkCount(options[key], key)
  checkOtherChains(options.otherChains)
  const terms = readPurchaseTerms(client, options)
  checkCanBeReady(terms)
  return terms
}

const { allowRandomNonce: _, ...ownKinds } = requestOptionKinds
const optionKinds: OptionKinds<checkRedeem.Options> = {
  ...ownKinds,
  otherChains: 'any',
  storage: 'any',
  timeoutMs: 'any',
  prepared: 'object?',
  signer: 'any',
  maxAgeSeconds: 'any',
}

/** The wallet is asked while the service and the chain are read. */
function askForIntent(signer: EvmSigner, { wallet, chainId }: RedeemTerms): Promise<boolean> {
  return inTime(takesIntent(toSigner(signer), { address: wallet, chainId }), capabilityTimeoutMs)
}

const capabilityTimeoutMs = 1_000

async function readRecord(
  terms: RedeemTerms,
  options: checkRedeem.Options,
): Promise<PurchaseRecord | undefined> {
  const record = await purchaseStore(purchaseOf(terms), options.storage, options).read()
  return usableRecord(record, terms, options)
}

/**
 * Returns `undefined` if the chain shows the order unused after the permit's expiry: a reorganisation removed the redeem. Before the
 * expiry, the node may only lag.
 */
async function finished(
  { orderKey, salt, nonce, hash, openUntil }: PurchaseRecord,
  terms: RedeemTerms,
  options: checkRedeem.Options,
): Promise<CheckedPurchase | undefined> {
  // Finished records have a hash and a nonce, and the caller passes no others.
  const kept = freeze({ state: 'redeemed', nonce: nonce as Hex, hash: hash as Hex } as const)
  if (options.publicClient === undefined) return kept
  try {
    const paid = await lookUp(options.publicClient, { ...terms, orderKey, salt }, soon(options))
    if (paid !== undefined || openUntil === undefined) return paid ?? kept
    const { timestamp } = await readBlock(boundClient(options.publicClient, soon(options)), 'latest')
    return timestamp < BigInt(openUntil) ? kept : undefined
  } catch (error) {
    if (error instanceof ChainReadError) return kept
    throw error
  }
}

/** A slow node must not delay the result that the order is paid or open. */
const soon = (options: checkRedeem.Options) => ({
  ...options,
  timeoutMs: Math.min(options.timeoutMs ?? 5_000, 5_000),
})

/** Looks up a redeem by this attempt, or by another that pays for the order. Throws if the other attempt does not pay for it. */
async function lookUp(
  publicClient: EvmClient,
  terms: RedeemTerms,
  options: checkRedeem.Options,
): Promise<Extract<CheckedPurchase, { state: 'redeemed' }> | undefined> {
  const { wallet, chainId, pinned } = terms
  const { nonce } = intentOf(terms)
  const key = { wallet, nonce, creditsContract: pinned.creditsContract, chainId }
  const look = findRedeem(boundClient(publicClient, options), key)
  const found = await within(look, { signal: options.signal })
  if (found.state === 'cancelled') throw new RedeemCancelledError({ nonce, wallet })
  if (found.state === 'unused') return undefined
  const { outcome } = found
  // Even this attempt's nonce does not prove the payment: it does not commit to the credit seed, and only the event shows the seed.
  checkPaid(outcome, terms, { contracts: [pinned.creditsContract] })
  return freeze({ state: 'redeemed', nonce: outcome.nonce, hash: outcome.hash, outcome })
}

/** Returns whether the wallet has code; `undefined` without a `publicClient`. */
async function checkFundsOf(
  client: PaymentsClient,
  prepared: PreparedRedeem,
  options: checkRedeem.Options,
): Promise<boolean | undefined> {
  const { publicClient, signal } = options
  if (publicClient === undefined) {
    await checkBalances(client, prepared, options)
    // Without a chain, the signature is verified locally; load the curve now, because the click must not wait.
    await loadCurve()
    return undefined
  }
  return within(readBeforeSigning(boundClient(publicClient, options), prepared), { signal })
}
