import type { Hex } from 'viem'
import { isBoundNonce } from '../../evm/creditPermit/isBoundNonce.ts'
import { redeemIntent } from '../../evm/creditPermit/redeemIntent.ts'
import { checksumOf } from '../check/checksumOf.ts'
import { PurchaseMismatchError, PurchaseStorageError } from '../errors.ts'
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
  /** The salt makes the nonce, and one nonce is redeemed once: as long as it is kept, nothing can be paid twice. */
  readonly salt: Hex
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
export function purchaseOf(
  { merchantId, wallet, chainId, request, pinned }: RedeemTerms,
  purchaseId: string | undefined,
): Purchase {
  const { creditsContract, creditSeed } = pinned
  const own = { merchantId, wallet, chainId, creditsContract, creditSeed, request }
  return purchaseId === undefined ? own : { ...own, purchaseId }
}

/**
 * The salt of an order. Of the request it takes nothing: the nonce commits to what is paid, and what else the request says,
 * such as a cart, or how its amounts are written, must not make another nonce.
 */
export function orderSalt({ request: _, ...order }: Purchase): Hex {
  return checksumOf(order)
}

/** What the name of every purchase begins with. */
export const purchasePrefix = 'redeemkit.purchase.'

/** Under which name a purchase is kept: one for each id of a merchant, else one for each identical purchase. */
export function purchaseName(purchase: Purchase): string {
  const { merchantId, purchaseId } = purchase
  return `${purchasePrefix}${checksumOf(purchaseId === undefined ? purchase : { merchantId, purchaseId }).slice(2, 34)}`
}

/**
 * Reads what is kept under the name of a purchase.
 *
 * @param options.opaque whether nonces commit to nothing, by the caller's pins: then any of their bits may be set
 * @returns `undefined` when another purchase was begun under this id, and nothing of it was signed
 * @throws {@link PurchaseStorageError} for text that is no record; {@link PurchaseMismatchError} for the record of another
 * purchase with the same id
 */
export function parsePurchaseRecord(
  text: string,
  purchase: Purchase,
  { opaque = false }: { opaque?: boolean | undefined } = {},
): PurchaseRecord | undefined {
  const name = purchaseName(purchase)
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
    !isHex32(record.salt) ||
    (record.hash !== undefined && !(isHex32(record.hash) && isHex32(record.nonce))) ||
    (record.answered !== undefined && !isHex32(record.answered))
  )
    throw unknown(name, 'no purchase of this version')
  const field = differs(purchase, record.purchase)
  // Nothing was signed for it: the order has changed since.
  if (field !== undefined && record.signed === undefined && record.hash === undefined) return undefined
  if (field !== undefined)
    throw new PurchaseMismatchError(
      `The purchase ${JSON.stringify(purchase.purchaseId ?? name)} is on record with another ${field}.`,
      {
        field,
        fix: 'One id stands for one purchase. Use another purchaseId for another purchase, or the request that it began with.',
      },
    )
  // All of it was looked at; what else `signed` holds is checked by submitRedeem.
  const kept = record as PurchaseRecord
  if (!agrees(kept, purchase, opaque)) throw unknown(name, 'a purchase that was changed since')
  return kept
}

/** Whether what a record says of its redeem is what follows from the purchase and the salt. */
function agrees(
  { salt, signed, nonce, openUntil = '0' }: PurchaseRecord,
  purchase: Purchase,
  opaque: boolean,
): boolean {
  if (purchase.purchaseId !== undefined && salt !== orderSalt(purchase)) return false
  // Stored data: any field may be missing.
  const { wallet, chainId, pinned, answer, ...rest }: Partial<PreparedRedeem> = signed?.prepared ?? {}
  const isOurs =
    signed === undefined ||
    (wallet === purchase.wallet &&
      chainId === purchase.chainId &&
      pinned?.creditsContract === purchase.creditsContract &&
      rest.salt === salt &&
      isHex32(answer?.nonce) &&
      isSeconds(answer?.validBefore))
  const bound = opaque ? [] : [nonce, answer?.nonce].filter((one) => isHex32(one) && isBoundNonce(one))
  const expected = redeemIntent({ ...purchase, salt }).nonce
  return isOurs && isSeconds(openUntil) && bound.every((one) => one?.toLowerCase() === expected)
}

const unknown = (name: string, what: string) =>
  new PurchaseStorageError(`What the storage holds under ${name} is ${what}.`, {
    field: 'storage',
    fix: 'It may stand for a redeem that was sent: look at the wallet’s redeems on the chain, then remove that item.',
  })

export const isSeconds = (value: unknown) => typeof value === 'string' && /^\d{1,78}$/.test(value)

const isHex32 = (value: unknown): value is Hex => typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value)

/** The first field in which two purchases differ. */
function differs(one: Purchase, other: Partial<Purchase> | null): string | undefined {
  return [...new Set([...Object.keys(one), ...Object.keys(other ?? {})])].find(
    // Both hold these fields or lack them; what is compared is their text.
    (key) =>
      checksumOf({ value: one[key as keyof Purchase] }) !==
      checksumOf({ value: other?.[key as keyof Purchase] }),
  )
}
