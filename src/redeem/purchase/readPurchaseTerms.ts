import { InvalidOptionError } from '../../core/errors/inputErrors.ts'
import { redeemIntent } from '../../evm/creditPermit/redeemIntent.ts'
import type { RedeemTerms } from '../preparedRedeem.ts'
import type { RedeemOptions } from '../redeemOptions.ts'
import { type RedeemClient, type RedeemTermsOptions, readRedeemTerms } from '../request/readRedeemTerms.ts'
import { orderSalt, purchaseOf } from './purchaseRecord.ts'

/**
 * The terms of a purchase, refused when they cannot be redeemed at all, before anything is asked or kept. An order's salt follows
 * from the order, so that even without any record of it the nonce is the same.
 */
export function readPurchaseTerms(
  client: RedeemClient,
  options: RedeemTermsOptions & Pick<RedeemOptions, 'purchaseId'>,
): RedeemTerms {
  const read = readRedeemTerms(client, options)
  const { purchaseId } = options
  const terms = purchaseId === undefined ? read : { ...read, salt: orderSalt(purchaseOf(read, purchaseId)) }
  redeemIntent(terms)
  return terms
}

export declare namespace readPurchaseTerms {
  type ErrorType = readRedeemTerms.ErrorType | redeemIntent.ErrorType
}

/**
 * Checks what says which purchase it is, and where it is kept.
 *
 * @throws {@link InvalidOptionError}
 */
export function checkPurchaseOptions(
  options: Pick<RedeemOptions, 'salt' | 'purchaseId' | 'storage' | 'pinned'>,
): void {
  const { salt, purchaseId, storage, pinned } = options
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

export declare namespace checkPurchaseOptions {
  type ErrorType = InvalidOptionError
}

const storageFunctions = ['getItem', 'setItem', 'removeItem'] as const
