import { SignJWT } from 'jose'
import { checkCount } from '../api/clientOptions.ts'
import { checkOptions } from '../core/checkOptions.ts'
import { InvalidOptionError } from '../core/errors/inputErrors.ts'
import { type Clock, type InvalidClockError, readClock } from '../core/time/clock.ts'
import { anyAddress } from '../schema/values.ts'

/**
 * Signs the `destinationAuthKey` of a checkout: a JWT (RFC 7519, HS256) by which the merchant names who receives what the payment
 * settles to, when it is not the merchant's own address (PROTOCOL.md 10.2 and 10.3).
 *
 * Made on the merchant's server. Pin it with `createCheckoutJwt`, so that a browser can put no other in its place.
 *
 * @param options.address who receives: an address on the chain that the payment settles on, as its chain writes it
 * @param options.secret the merchant's JWT secret at the service, 32 characters or more
 * @param options.validForSeconds until when a checkout may carry it, from now on. Default 86_400, as a checkout JWT
 * @throws {@link InvalidOptionError} for an address, a secret or a time that cannot be used; the secret is never shown
 * @example
 * ```ts
 * import { signDestinationAuthKey } from 'redeemkit/merchant'
 * const settleTo = (address: string) =>
 *   signDestinationAuthKey({ address, secret: process.env.SERVICE_JWT_SECRET ?? '' })
 * ```
 */
export async function signDestinationAuthKey(options: signDestinationAuthKey.Options): Promise<string> {
  const {
    address,
    secret,
    validForSeconds = 86_400,
    now,
  } = checkOptions(options, {
    address: 'any',
    secret: 'any',
    validForSeconds: 'any',
    now: 'any',
  })
  if (!anyAddress.safeParse(address).success)
    throw new InvalidOptionError('The address cannot be used.', {
      field: 'address',
      fix: 'Give the address of a wallet as text, without blanks.',
    })
  // As long as what HS256 makes, at the least (RFC 7518, 3.2).
  if (typeof secret !== 'string' || new TextEncoder().encode(secret).length < 32)
    throw new InvalidOptionError('The secret is missing, or shorter than 32 characters.', {
      field: 'secret',
      fix: "Give the merchant's JWT secret at the service as text, from your server's own secrets.",
    })
  checkCount(validForSeconds, 'validForSeconds')
  const issuedAt = Math.floor(readClock(now) / 1000)
  return new SignJWT({ address })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + validForSeconds)
    .sign(new TextEncoder().encode(secret))
}

export declare namespace signDestinationAuthKey {
  type Options = {
    address: string
    secret: string
    validForSeconds?: number | undefined
    /** Default `Date.now`. */
    now?: Clock | undefined
  }
  type ErrorType = InvalidOptionError | InvalidClockError
}
