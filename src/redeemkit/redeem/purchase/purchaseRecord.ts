import type { Address, Hex } from 'viem'
import { attempt } from '../../core/attempt.ts'
import { isIntentBoundNonce, orderKey as orderKeyFor, orderKeyOf } from '../../evm/creditPermit/orderKey.ts'
import { redeemIntent } from '../../evm/creditPermit/redeemIntent.ts'
import { isHex } from '../../evm/values.ts'
import { checksumOf } from '../check/compare.ts'
import { difference } from '../check/readPrepared.ts'
import { PurchaseStorageError } from '../errors.ts'
import type { PreparedRedeem, RedeemTerms, SignedRedeem } from '../preparedRedeem.ts'
import { purchasePrefix } from './mayHoldPurchase.ts'

/** Two with the same values are the same purchase (PROTOCOL.md 7.5). */
export type Purchase = Pick<RedeemTerms, 'merchantId' | 'wallet' | 'chainId' | 'request'> & {
  readonly creditsContract: string
  readonly creditSeed: string
  readonly purchaseId?: string | undefined
}

export type PurchaseRecord = {
  readonly version: 1
  readonly purchase: Purchase
  /** At most one attempt of an order is redeemed, so storing its key prevents a second payment. */
  readonly orderKey: Hex
  /** Determines the nonce together with the order and the request: an unchanged request keeps its nonce. */
  readonly salt: Hex
  /** A `decent` redeem committed to this adapter. */
  readonly bridgeAdapter?: Address | undefined
  /** Unix seconds when the wallet was first opened. */
  readonly begunAt?: string | undefined
  /** Set once everything is signed. The redeem may be submitted. */
  readonly signed?: SignedRedeem | undefined
  /** The first of two signatures, not submitted. The wallet is then asked only for the second. */
  readonly permit?: StoredPermit | undefined
  /**
   * Unix seconds: expiry of an earlier permit with this nonce, if later than that of `signed`. In a finished record: the permit's expiry.
   */
  readonly openUntil?: string | undefined
  /** Random nonces only: the hash that the service reported, by which the redeem is looked up. */
  readonly answered?: Hex | undefined
  /** Random nonces only: the service rejected every submit of `signed`. */
  readonly refused?: true | undefined
  /** Random nonces only: `signed` is the second permit, because the gas fee changed. */
  readonly second?: true | undefined
  /** Set once the purchase is finished. */
  readonly hash?: Hex | undefined
  readonly nonce?: Hex | undefined
}

/** Without its USDC authorization, the permit executes nothing. */
export type StoredPermit = { readonly prepared: PreparedRedeem; readonly permitCredits: Hex }

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

/** One key per order id of a merchant or, without an id, one per set of terms. */
export function purchaseName(purchase: Purchase): string {
  const { merchantId, purchaseId } = purchase
  return `${purchasePrefix}${checksumOf(purchaseId === undefined ? purchase : { merchantId, purchaseId }).slice(2, 34)}`
}

/** With a `purchaseId`, the record may have other terms, another chain or another wallet: see `differingField`. */
export function parsePurchaseRecord(
  text: string,
  name: string,
  { randomNonce = false }: { randomNonce?: boolean | undefined } = {},
): PurchaseRecord {
  // Each field is checked below, or where it is used.
  const record = attempt(() => JSON.parse(text) as Partial<PurchaseRecord> | null)
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
    throw unknownRecord(name, 'not a purchase of this version')
  // `submitRedeem` checks the contents of `signed`.
  const kept = record as PurchaseRecord
  if (!agrees(kept, name, randomNonce)) throw unknownRecord(name, 'a purchase that was changed')
  return kept
}

function agrees(record: PurchaseRecord, name: string, randomNonce: boolean): boolean {
  const { purchase, orderKey, salt, signed, nonce, openUntil = '0', bridgeAdapter } = record
  // Stored data may lack any field.
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
  if (randomNonce) return purchaseName(purchase) === name
  const isIntentBound = (one: unknown): one is Hex => isHex(one, 32) && isIntentBoundNonce(one)
  try {
    const { merchantId, purchaseId } = purchase
    return (
      purchaseName(purchase) === name &&
      (purchaseId === undefined || orderKey === orderKeyFor({ merchantId, purchaseId })) &&
      (!isIntentBound(answer?.nonce) ||
        answer.nonce.toLowerCase() === redeemIntent({ ...purchase, orderKey, salt, bridgeAdapter }).nonce) &&
      // Another attempt of the order may have paid it.
      (!isIntentBound(nonce) || orderKeyOf(nonce) === orderKey)
    )
  } catch {
    // redeemkit never records a purchase that cannot be redeemed.
    return false
  }
}

export const unknownRecord = (name: string, what: string, cause?: unknown) =>
  new PurchaseStorageError(`The storage item ${name} is ${what}.`, {
    field: 'storage',
    fix: 'Check the wallet’s redeems on chain first: the item may belong to a submitted one. Then remove the item.',
    cause,
  })

export const isSeconds = (value: unknown) => typeof value === 'string' && /^\d{1,78}$/.test(value)

export function differingField(one: Purchase, other: Purchase): string | undefined {
  // A field of the request is named with it: `request.subtotal`.
  return difference(one, other, '')?.path.split('.').slice(1, 3).join('.')
}
