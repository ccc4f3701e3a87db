import { checkOptions, type OptionKinds } from '../core/checkOptions.ts'
import type { Clock } from '../core/clock.ts'
import { checkAddress } from '../evm/checkAddress.ts'
import { readPrepared, requireRequest } from './check/readPrepared.ts'
import { PreparedMismatchError } from './errors.ts'
import type { PreparedRedeem, RedeemPins, RedeemRequest } from './preparedRedeem.ts'

/**
 * Checks a stored prepared redeem before you show it: repeats every check of `prepareRedeem` against your own request and pins. Show its
 * contents, including `summary`, only if this returns.
 *
 * @returns a checked copy, frozen
 * @throws StoredRedeemError if the data is not a prepared redeem or was changed; PreparedMismatchError with the field that differs
 * from your request; ExpiredError and the other errors of `prepareRedeem`; PinsRequiredError
 * @see PROTOCOL.md 3.2
 * @example
 * ```ts
 * import { checkPrepared, type RedeemPins, type RedeemRequest } from 'redeemkit'
 * const summaryOf = (stored: string, wallet: string, request: RedeemRequest, pinned: RedeemPins) =>
 *   checkPrepared(JSON.parse(stored), { wallet, request, pinned }).summary
 * ```
 */
export function checkPrepared(stored: PreparedRedeem, options: checkPrepared.Options): PreparedRedeem {
  checkOptions(options, optionKinds)
  const request = requireRequest(options.request)
  const { prepared } = readPrepared(stored, { ...options, request })
  const wallet = checkAddress(options.wallet, 'wallet')
  if (prepared.wallet !== wallet)
    throw new PreparedMismatchError(
      'wallet',
      wallet,
      prepared.wallet,
      'Do not show the stored redeem, which belongs to another wallet. Prepare the redeem again.',
    )
  return prepared
}

const optionKinds: OptionKinds<checkPrepared.Options> = {
  pinned: 'any',
  request: 'any',
  purchaseId: 'any',
  wallet: 'string',
  allowRandomNonce: 'boolean?',
  now: 'any',
}

export declare namespace checkPrepared {
  type Options = {
    /** Your pinned values, from your own configuration. */
    pinned: RedeemPins
    /** Your request. */
    request: RedeemRequest
    /** Your order id. A stored redeem of another order is rejected. */
    purchaseId?: string | undefined
    /** Wallet that pays. */
    wallet: string
    /** Accepts a permit with a random nonce, which does not commit to the purchase. Default false. */
    allowRandomNonce?: boolean | undefined
    /** Milliseconds since 1970. Default `Date.now`. */
    now?: Clock | undefined
  }
  type ReturnType = PreparedRedeem
  type ErrorType = readPrepared.ErrorType
}
