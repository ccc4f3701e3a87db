import type { PaymentsClient } from '../api/createPaymentsClient.ts'
import type { RequestAbortedError } from '../api/errors.ts'
import { checkOptions, type OptionKinds } from '../core/checkOptions.ts'
import type { InvalidAddressError, InvalidOptionError } from '../core/errors/inputErrors.ts'
import { checkAddress } from '../evm/checkAddress.ts'
import { redeemIntent } from '../evm/creditPermit/redeemIntent.ts'
import type { networkOf } from '../evm/networks.ts'
import type { InvalidChainIdError } from '../evm/values.ts'
import { readNetwork, readPins, readRequest } from './check/readRedeemTerms.ts'
import { type InvalidRedeemRequestError, PurchaseStorageError } from './errors.ts'
import type { OpenRedeem } from './openRedeem.ts'
import type { RedeemPins, RedeemRequest, RedeemTerms } from './preparedRedeem.ts'
import { purchasePrefix } from './purchase/mayHoldPurchase.ts'
import {
  isSeconds,
  type Purchase,
  type PurchaseRecord,
  parsePurchaseRecord,
  purchaseName,
  unknownRecord,
} from './purchase/purchaseRecord.ts'
import { openOf } from './purchase/purchaseRun.ts'
import {
  askStorage,
  checkPurchaseOptions,
  type PurchaseStorage,
  processStorage,
  storageTimeoutMs,
} from './purchase/purchaseStorage.ts'

/** An unfinished purchase in storage. Plain data. */
export type OpenPurchase = {
  /**
   * `begun`: the prompt was opened, but no signature is stored. `permitSigned`: the first of two signatures is stored. `signed`:
   * everything is signed and may be submitted; pass `open` to `findRedeem` or `waitForRedeem`.
   */
  readonly state: 'begun' | 'permitSigned' | 'signed'
  /** Options for `redeem` to resume the purchase. Add your own `pinned`, `storage` and `signer`. */
  readonly options: RedeemRequest & Pick<RedeemTerms, 'wallet' | 'chainId'> & { readonly purchaseId?: string }
  /** Price in raw units as decimal text, without the gas fee; 1 USD is `"1000000"`. */
  readonly amount: string
  /** Part of `amount` paid in USDC. */
  readonly usdcAmount: string
  /** Unix seconds of the first prompt; `undefined` in records of earlier versions. */
  readonly since: string | undefined
  /** Set when `state` is `signed`. */
  readonly open?: OpenRedeem | undefined
}

/**
 * Lists the stored purchases that a reload, a closed page or a lost response left open, for this merchant, this wallet, and the pinned
 * chain and credits contract. Reads the storage only, and changes nothing.
 *
 * To resume one, call `redeem` with its `options` and your own pins, storage and signer. Anyone with write access to the storage
 * can change `options`: show them, or take the request from your own order.
 *
 * @param options.storage the storage of `redeem`. It must list its keys, as `localStorage` does. Default: memory
 * @param options.wallet default: the client's wallet; without one, all wallets
 * @returns `open`, oldest first, and `unreadable`: records of other versions, which may belong to a submitted redeem
 * @throws PurchaseStorageError if the storage cannot be read or listed; the errors of pins, chain and options; RequestAbortedError
 * @see PROTOCOL.md 7.5
 * @example
 * ```ts
 * import { createPaymentsClient, type EvmSigner, listOpenRedeems, redeem, type RedeemPins } from 'redeemkit'
 * const client = createPaymentsClient({ baseUrl: 'https://service.example', merchantId: 'shop', blockchain: 'base' })
 * const storage = globalThis.localStorage
 * const resume = async (signer: EvmSigner, pinned: RedeemPins & { chainId: number }) => {
 *   const { open } = await listOpenRedeems(client, { storage, pinned })
 *   const [oldest] = open
 *   return oldest && redeem(client, { ...oldest.options, storage, pinned, signer })
 * }
 * ```
 */
export async function listOpenRedeems(
  client: PaymentsClient,
  options: listOpenRedeems.Options,
): Promise<listOpenRedeems.ReturnType> {
  const { storage = processStorage, signal } = checkOptions(options, optionKinds)
  checkPurchaseOptions(options)
  const { chainId } = readNetwork(client, options.chainId ?? options.pinned.chainId)
  const pinned = readPins(options.pinned, chainId)
  const given = options.wallet ?? client.wallet
  const wallet = given === undefined ? undefined : checkAddress(given, 'wallet')
  const isMeant = (purchase: Purchase) =>
    purchase.merchantId === client.merchantId &&
    purchase.chainId === chainId &&
    purchase.creditsContract === pinned.creditsContract &&
    purchase.creditSeed === pinned.creditSeed &&
    (wallet === undefined || purchase.wallet === wallet)
  const randomNonce = pinned.intentBound === false
  const open: OpenPurchase[] = []
  const unreadable: UnreadablePurchase[] = []
  for (const name of await namesOf(storage, signal)) {
    const text = await ask(`read ${name}`, () => storage.getItem(name), signal)
    // Another page may have finished the purchase in the meantime.
    if (text === null || text === undefined) continue
    try {
      const record = readRecord(name, text, randomNonce, isMeant)
      if (record !== undefined && record.hash === undefined) open.push(toOpen(record))
    } catch (cause) {
      const isKnown = cause instanceof PurchaseStorageError
      const error = isKnown ? cause : unknownRecord(name, 'not a purchase of this version', cause)
      unreadable.push({ name, error })
    }
  }
  return { open: oldestFirst(open), unreadable }
}

export function oldestFirst(open: readonly OpenPurchase[]): OpenPurchase[] {
  return [...open].sort((one, other) => Number(one.since ?? 0) - Number(other.since ?? 0))
}

/** A stored item with the name of a purchase, but without a readable record. */
export type UnreadablePurchase = { readonly name: string; readonly error: PurchaseStorageError }

export declare namespace listOpenRedeems {
  type Options = {
    /** Pinned credits contract. Purchases on other contracts are not listed. */
    pinned: RedeemPins
    storage?: PurchaseStorage | undefined
    wallet?: string | undefined
    /** Default: the chain of `pinned`, or the client's blockchain in its environment. */
    chainId?: number | undefined
    signal?: AbortSignal | undefined
  }
  type ReturnType = { open: OpenPurchase[]; unreadable: UnreadablePurchase[] }
  type ErrorType =
    | checkOptions.ErrorType
    | InvalidAddressError
    | InvalidOptionError
    | networkOf.ErrorType
    | InvalidChainIdError
    | InvalidRedeemRequestError
    | readPins.ErrorType
    | PurchaseStorageError
    | RequestAbortedError
}

const optionKinds: OptionKinds<listOpenRedeems.Options> = {
  pinned: 'any',
  storage: 'any',
  wallet: 'any',
  chainId: 'any',
  signal: 'object?',
}

async function namesOf(storage: PurchaseStorage, signal: AbortSignal | undefined): Promise<string[]> {
  const names = await ask(
    'list its keys',
    async () => {
      // `localStorage` may hold an item called "keys".
      if (typeof storage.keys === 'function') return [...(await storage.keys())]
      const { length } = storage
      if (typeof storage.key !== 'function' || typeof length !== 'number') return undefined
      return Array.from({ length }, (_, index) => storage.key?.(index))
    },
    signal,
  )
  if (names === undefined)
    throw new PurchaseStorageError('The storage cannot list its keys.', {
      field: 'storage',
      fix: 'Pass localStorage, or add keys() to the storage.',
    })
  return names.filter((name) => typeof name === 'string').filter((name) => name.startsWith(purchasePrefix))
}

function ask<T>(what: string, work: () => T | Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  const fix = 'Allow access to the storage, then list again.'
  return askStorage(what, work, { ms: storageTimeoutMs, signal, fix })
}

function readRecord(
  name: string,
  text: string,
  randomNonce: boolean,
  isMeant: (purchase: Purchase) => boolean,
): PurchaseRecord | undefined {
  // `parsePurchaseRecord` and `readRequest` check each field.
  const { purchase } = JSON.parse(text) as PurchaseRecord
  if (purchaseName(purchase) !== name) throw new TypeError('The item’s name does not match its content.')
  return isMeant(purchase) ? parsePurchaseRecord(text, name, { randomNonce }) : undefined
}

function toOpen(record: PurchaseRecord): OpenPurchase {
  const { purchase, orderKey, salt, bridgeAdapter, permit, begunAt } = record
  const { wallet, chainId, purchaseId } = purchase
  const request = readRequest(purchase.request)
  const { amount, usdcAmount } = redeemIntent({
    ...purchase,
    request,
    orderKey,
    salt,
    bridgeAdapter,
    // Records without an adapter belong to services with random nonces.
    intentBound: false,
  })
  const { signed: _, ...open } = openOf(record) ?? {}
  return {
    state: record.signed ? 'signed' : permit ? 'permitSigned' : 'begun',
    options: { ...request, wallet, chainId, ...(purchaseId !== undefined && { purchaseId }) },
    amount: `${amount}`,
    usdcAmount: `${usdcAmount}`,
    since: isSeconds(begunAt) ? begunAt : undefined,
    // A signed record has all fields of an open redeem.
    ...(record.signed && { open: open as OpenRedeem }),
  }
}
