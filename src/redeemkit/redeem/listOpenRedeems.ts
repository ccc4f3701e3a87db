import type { PaymentsClient } from '../api/createPaymentsClient.ts'
import { RequestAbortedError } from '../api/errors.ts'
import { checkOptions, type OptionKinds } from '../core/checkOptions.ts'
import type { InvalidAddressError } from '../core/errors/inputErrors.ts'
import { checkAddress } from '../evm/checkAddress.ts'
import { redeemIntent } from '../evm/creditPermit/redeemIntent.ts'
import type { InvalidChainIdError } from '../evm/values.ts'
import { PurchaseStorageError } from './errors.ts'
import type { OpenRedeem } from './openRedeem.ts'
import type { RedeemPins, RedeemRequest, RedeemTerms } from './preparedRedeem.ts'
import {
  isSeconds,
  type Purchase,
  type PurchaseRecord,
  parsePurchaseRecord,
  purchaseName,
  purchasePrefix,
} from './purchase/purchaseRecord.ts'
import { openOf } from './purchase/purchaseRun.ts'
import { type PurchaseStorage, processStorage } from './purchase/purchaseStorage.ts'
import { checkPurchaseOptions } from './purchase/readPurchaseTerms.ts'
import { readNetwork, readPins, readRequest } from './request/readRedeemTerms.ts'
import { within } from './within.ts'

/** A purchase that a storage holds and that is not finished. Plain data. */
export type OpenPurchase = {
  /**
   * `begun`: the wallet was asked, and nothing is kept that it signed. `permitSigned`: the first of two signatures is kept. `signed`: all is
   * signed, and may have been sent: `open` is what `findRedeem` and `waitForRedeem` look for.
   */
  readonly state: 'begun' | 'permitSigned' | 'signed'
  /** What `redeem` takes to go on, beside your own `pinned`, `storage` and `signer`: what is paid for, by whom, and the order. */
  readonly options: RedeemRequest & Pick<RedeemTerms, 'wallet' | 'chainId'> & { readonly purchaseId?: string }
  /** What it spends, raw units as decimal text, without the gas fee; 1 USD is `"1000000"`. */
  readonly amount: string
  /** Part of `amount` that is paid in USDC. */
  readonly usdcAmount: string
  /** Unix seconds, when the wallet was first asked; `undefined` for one that an earlier version began. */
  readonly since: string | undefined
  /** There when `state` is `signed`. */
  readonly open?: OpenRedeem | undefined
}

/**
 * Lists the purchases that a reload, a closed page or a lost answer has left open in a storage: of this merchant, on the chain and
 * for the credits that you pin, and of one wallet. Reads the storage only, and changes nothing.
 *
 * To go on with one, call `redeem` with its `options` and your own pins, storage and signer: what was signed is looked up, or sent
 * again as it is, and signed again only with the same nonce. The storage says what `options` are, as whoever can write to it
 * does: show them, or take the request of `purchaseId` from your own order, where more than a look-up may follow.
 *
 * @param options.storage the storage of `redeem`; it has to tell its names, as `localStorage` does. Default: this process
 * @param options.wallet whose; default: the client's, and without one those of every wallet
 * @returns `open`, the oldest first, and `unreadable`: what is kept under a purchase's name and is none of this version, which may stand for
 * a redeem that was sent
 * @throws PurchaseStorageError when the storage cannot be read or tells no names; InvalidAddressError, InvalidChainIdError and the other
 * errors of pins, chain and options; RequestAbortedError
 * @see PROTOCOL.md 7.5
 * @example
 * ```ts
 * import { createPaymentsClient, type EvmSigner, listOpenRedeems, redeem, type RedeemPins } from 'redeemkit'
 * const client = createPaymentsClient({ baseUrl: 'https://service.example', merchantId: 'shop', blockchain: 'base' })
 * const storage = globalThis.localStorage
 * const goOn = async (signer: EvmSigner, pinned: RedeemPins & { chainId: number }) => {
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
  const { chainId } = readNetwork(client, options.chainId ?? options.pinned?.chainId)
  const pinned = readPins(options.pinned, chainId)
  const given = options.wallet ?? client.wallet
  const wallet = given === undefined ? undefined : checkAddress(given, 'wallet')
  const isMeant = (purchase: Purchase) =>
    purchase.merchantId === client.merchantId &&
    purchase.chainId === chainId &&
    purchase.creditsContract === pinned.creditsContract &&
    purchase.creditSeed === pinned.creditSeed &&
    (wallet === undefined || purchase.wallet === wallet)
  const opaque = pinned.intentBound === false
  const open: OpenPurchase[] = []
  const unreadable: UnreadablePurchase[] = []
  for (const name of await namesOf(storage, signal)) {
    const text = await ask(`read ${name}`, () => storage.getItem(name), signal)
    // Another page may have finished it meanwhile.
    if (text === null || text === undefined) continue
    try {
      const record = readRecord(name, text, opaque, isMeant)
      if (record !== undefined && record.hash === undefined) open.push(toOpen(record))
    } catch (cause) {
      unreadable.push({ name, error: unknownRecord(name, cause) })
    }
  }
  return { open: open.sort((one, other) => Number(one.since ?? 0) - Number(other.since ?? 0)), unreadable }
}

/** What is kept under the name of a purchase, and is none. */
export type UnreadablePurchase = { readonly name: string; readonly error: PurchaseStorageError }

export declare namespace listOpenRedeems {
  type Options = {
    /** The credits that are spent: those of other deployments are not listed. */
    pinned: RedeemPins
    storage?: PurchaseStorage | undefined
    wallet?: string | undefined
    /** Default: the chain of `pinned`, else the client's blockchain in its environment. */
    chainId?: number | undefined
    signal?: AbortSignal | undefined
  }
  type ReturnType = { open: OpenPurchase[]; unreadable: UnreadablePurchase[] }
  type ErrorType =
    | checkOptions.ErrorType
    | checkPurchaseOptions.ErrorType
    | readNetwork.ErrorType
    | readPins.ErrorType
    | InvalidAddressError
    | InvalidChainIdError
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

/** The names of all purchases in a storage. */
async function namesOf(storage: PurchaseStorage, signal: AbortSignal | undefined): Promise<string[]> {
  const names = await ask(
    'tell its names',
    async () => {
      // An item of localStorage may be called "keys".
      if (typeof storage.keys === 'function') return [...(await storage.keys())]
      const { length } = storage
      if (typeof storage.key !== 'function' || typeof length !== 'number') return undefined
      return Array.from({ length }, (_, index) => storage.key?.(index))
    },
    signal,
  )
  if (names === undefined)
    throw new PurchaseStorageError('The storage does not tell the names of what it holds.', {
      field: 'storage',
      fix: 'Give localStorage, or add keys() to the storage.',
    })
  return names.filter((name) => typeof name === 'string').filter((name) => name.startsWith(purchasePrefix))
}

async function ask<T>(what: string, work: () => T | Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  const onEnd = (why: 'aborted' | 'timeout') =>
    why === 'aborted' ? new RequestAbortedError({ sent: false }) : new Error('no answer')
  try {
    return await within((async () => work())(), { ms: 120_000, signal, onEnd })
  } catch (cause) {
    if (cause instanceof RequestAbortedError) throw cause
    throw new PurchaseStorageError(`The storage could not ${what}.`, {
      field: 'storage',
      fix: 'Allow the storage, and list again.',
      cause,
    })
  }
}

/** A record, when it is of a purchase that is meant. It has to stand under its own name. */
function readRecord(
  name: string,
  text: string,
  opaque: boolean,
  isMeant: (purchase: Purchase) => boolean,
): PurchaseRecord | undefined {
  // Looked at field by field below, by parsePurchaseRecord and readRequest.
  const { purchase } = JSON.parse(text) as PurchaseRecord
  if (purchaseName(purchase) !== name) throw new TypeError('It stands under another name.')
  return isMeant(purchase) ? parsePurchaseRecord(text, name, { opaque }) : undefined
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
    // A record without an adapter is of random nonces.
    intentBound: false,
  })
  const { signed: _, ...open } = openOf(record) ?? {}
  return {
    state: record.signed ? 'signed' : permit ? 'permitSigned' : 'begun',
    options: { ...request, wallet, chainId, ...(purchaseId !== undefined && { purchaseId }) },
    amount: `${amount}`,
    usdcAmount: `${usdcAmount}`,
    since: isSeconds(begunAt) ? begunAt : undefined,
    // With what was signed, all fields of an open redeem are there.
    ...(record.signed && { open: open as OpenRedeem }),
  }
}

function unknownRecord(name: string, cause: unknown): PurchaseStorageError {
  if (cause instanceof PurchaseStorageError) return cause
  return new PurchaseStorageError(`What the storage holds under ${name} is no purchase of this version.`, {
    field: 'storage',
    fix: 'It may stand for a redeem that was sent: look at the wallet’s redeems on the chain, then remove that item.',
    cause,
  })
}
