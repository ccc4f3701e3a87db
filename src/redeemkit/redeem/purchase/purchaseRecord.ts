import type { Address, Hex } from 'viem'
import { isBoundNonce, orderKey as orderKeyFor, orderKeyOf } from '../../evm/creditPermit/orderKey.ts'
import { redeemIntent } from '../../evm/creditPermit/redeemIntent.ts'
import { checksumOf } from '../check/checksumOf.ts'
import { PurchaseStorageError } from '../errors.ts'
import type { PreparedRedeem, RedeemTerms, SignedRedeem } from '../preparedRedeem.ts'

/** What is bought, for whom, and of whom: two purchases that agree in all of it are the same one (PROTOCOL.md 7.5). */
export type Purchase = Pick<RedeemTerms, 'merchantId' | 'wallet' | 'chainId' | 'request'> & {
  readonly creditsContract: string
  readonly creditSeed: string
  /** The merchant's order id. */
  readonly purchaseId?: string | undefined
}

/** What is kept of a purchase. Plain data. */
export type PurchaseRecord = {
  readonly version: 1
  readonly purchase: Purchase
  /** 12 bytes: the order, of which one attempt at most is redeemed. As long as it is kept, nothing can be paid twice. */
  readonly orderKey: Hex
  /** Makes the nonce, with the order and the request: an unchanged request keeps it. */
  readonly salt: Hex
  /** What a `decent` redeem committed to. */
  readonly bridgeAdapter?: Address | undefined
  /** Unix seconds, when the wallet was first about to be asked. */
  readonly begunAt?: string | undefined
  /** There from when the wallet has signed all: what is, or may have been, sent. */
  readonly signed?: SignedRedeem | undefined
  /** The first of two signatures, of a permit that was not sent: the second one is asked for alone. */
  readonly permit?: KeptPermit | undefined
  /** Unix seconds until which a permit of this nonce may execute that was sent before `signed` was, when that is longer. */
  readonly openUntil?: string | undefined
  /** Where nonces commit to nothing: the hash that the service named, by which alone it can be followed. */
  readonly answered?: Hex | undefined
  /** Where nonces commit to nothing: every submit of `signed` was refused. */
  readonly refused?: true | undefined
  /** Where nonces commit to nothing: `signed` is the second permit, because the fee had moved. */
  readonly second?: true | undefined
  /** The hash, once it is finished. */
  readonly hash?: Hex | undefined
  /** The nonce, once it is finished. */
  readonly nonce?: Hex | undefined
}

/** A signed permit whose USDC authorization is not signed yet: alone it executes nothing. */
export type KeptPermit = { readonly prepared: PreparedRedeem; readonly permitCredits: Hex }

/** The purchase that terms stand for. */
export function purchaseOf({
  merchantId,
  wallet,
  chainId,
  request,
  pinned,
  purchaseId,
}: RedeemTerms): Purchase {
  const { creditsContract, creditSeed } = pinned
  const own = { merchantId, wallet, chainId, creditsContract, creditSeed, request }
  return purchaseId === undefined ? own : { ...own, purchaseId }
}

/** What the name of every purchase begins with. */
export const purchasePrefix = 'redeemkit.purchase.'

/** Under which name a purchase is kept: one for each id of a merchant, else one for each identical purchase. */
export function purchaseName(purchase: Purchase): string {
  const { merchantId, purchaseId } = purchase
  return `${purchasePrefix}${checksumOf(purchaseId === undefined ? purchase : { merchantId, purchaseId }).slice(2, 34)}`
}

/**
 * Reads what is kept under the name of a purchase. With a `purchaseId` it may be an attempt with other terms, on another chain or
 * of another wallet: `differingField` tells.
 *
 * @param options.opaque whether nonces are random, by the caller's pins: then any of their bits may be set
 * @throws {@link PurchaseStorageError} for text that is no record of this purchase
 */
export function parsePurchaseRecord(
  text: string,
  name: string,
  { opaque = false }: { opaque?: boolean | undefined } = {},
): PurchaseRecord {
  let record: Partial<PurchaseRecord> | null
  try {
    // Each field that is used is looked at below, or where it is used.
    record = JSON.parse(text) as typeof record
  } catch {
    record = null
  }
  if (
    record?.version !== 1 ||
    typeof record.purchase !== 'object' ||
    record.purchase === null ||
    !isHex(record.orderKey, 12) ||
    !isHex(record.salt, 32) ||
    (record.bridgeAdapter !== undefined && !isHex(record.bridgeAdapter, 20)) ||
    (record.hash !== undefined && !(isHex(record.hash, 32) && isHex(record.nonce, 32))) ||
    (record.answered !== undefined && !isHex(record.answered, 32))
  )
    throw unknown(name, 'no purchase of this version')
  // All of it was looked at; what else `signed` holds is checked by submitRedeem.
  const kept = record as PurchaseRecord
  if (!agrees(kept, name, opaque)) throw unknown(name, 'a purchase that was changed since')
  return kept
}

/** Whether what a record says of its redeem is what follows from its purchase, order and salt. */
function agrees(record: PurchaseRecord, name: string, opaque: boolean): boolean {
  const { purchase, orderKey, salt, signed, nonce, openUntil = '0', bridgeAdapter } = record
  // Stored data: any field may be missing.
  const { wallet, chainId, pinned, answer, ...rest }: Partial<PreparedRedeem> = signed?.prepared ?? {}
  const isOurs =
    signed === undefined ||
    (wallet === purchase.wallet &&
      chainId === purchase.chainId &&
      pinned?.creditsContract === purchase.creditsContract &&
      rest.orderKey === orderKey &&
      rest.salt === salt &&
      isHex(answer?.nonce, 32) &&
      isSeconds(answer?.validBefore))
  if (!isOurs || !isSeconds(openUntil)) return false
  if (opaque) return purchaseName(purchase) === name
  const isBound = (one: unknown): one is Hex => isHex(one, 32) && isBoundNonce(one)
  try {
    const { merchantId, purchaseId } = purchase
    return (
      purchaseName(purchase) === name &&
      (purchaseId === undefined || orderKey === orderKeyFor({ merchantId, purchaseId })) &&
      (!isBound(answer?.nonce) ||
        answer.nonce.toLowerCase() === redeemIntent({ ...purchase, orderKey, salt, bridgeAdapter }).nonce) &&
      // Another attempt of the order may have paid it.
      (!isBound(nonce) || orderKeyOf(nonce) === orderKey)
    )
  } catch {
    // A purchase that cannot be redeemed at all was never written by us.
    return false
  }
}

const unknown = (name: string, what: string) =>
  new PurchaseStorageError(`What the storage holds under ${name} is ${what}.`, {
    field: 'storage',
    fix: 'It may stand for a redeem that was sent: look at the wallet’s redeems on the chain, then remove that item.',
  })

export const isSeconds = (value: unknown) => typeof value === 'string' && /^\d{1,78}$/.test(value)

const isHex = (value: unknown, bytes: number): value is Hex =>
  typeof value === 'string' && /^0x[0-9a-f]*$/i.test(value) && value.length === 2 + 2 * bytes

/** Path of the first field in which two purchases differ. */
export function differingField(one: Purchase, other: Purchase): string | undefined {
  const field = differing(one, other)
  return field === 'request' ? `request.${differing(one.request, other.request)}` : field
}

function differing<T extends object>(one: T, other: T): string | undefined {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].find(
    // Both hold these fields or lack them; what is compared is their text.
    (key) => checksumOf({ value: one[key as keyof T] }) !== checksumOf({ value: other[key as keyof T] }),
  )
}
