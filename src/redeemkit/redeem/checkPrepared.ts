import { checkOptions, type OptionKinds } from '../core/checkOptions.ts'
import type { InvalidAddressError } from '../core/errors/inputErrors.ts'
import type { Clock } from '../core/time/clock.ts'
import { checkAddress } from '../evm/checkAddress.ts'
import { readPrepared } from './check/readPrepared.ts'
import { requireRequest } from './check/requireRequest.ts'
import { PreparedMismatchError } from './errors.ts'
import type { PreparedRedeem, RedeemPins, RedeemRequest } from './preparedRedeem.ts'

/**
 * Tells whether a prepared redeem that was stored may be shown: repeats every check of `prepareRedeem` on it, against your
 * own request and pins. What it says, `summary` included, is yours to show only when this returns.
 *
 * @returns a checked copy, frozen
 * @throws StoredRedeemError for data that is no prepared redeem, or was changed; PreparedMismatchError with the field in which
 * it is another redeem than the one you mean; ExpiredError and the other errors of `prepareRedeem`; PinsRequiredError
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
      'Do not show it: it is another wallet’s redeem. Prepare again.',
    )
  return prepared
}

const optionKinds: OptionKinds<checkPrepared.Options> = {
  pinned: 'any',
  request: 'any',
  purchaseId: 'any',
  wallet: 'string',
  allowUnbound: 'boolean?',
  now: 'any',
}

export declare namespace checkPrepared {
  type Options = {
    /** Your pins, from your own configuration. */
    pinned: RedeemPins
    /** Your request. */
    request: RedeemRequest
    /** Your order id: refuses a stored redeem of another order. */
    purchaseId?: string | undefined
    /** Who pays. */
    wallet: string
    /** Takes a permit that does not say what it pays for. Default false. */
    allowUnbound?: boolean | undefined
    /** Milliseconds since 1970. Default `Date.now`. */
    now?: Clock | undefined
  }
  type ReturnType = PreparedRedeem
  type ErrorType =
    | checkOptions.ErrorType
    | readPrepared.ErrorType
    | requireRequest.ErrorType
    | InvalidAddressError
    | PreparedMismatchError
}
