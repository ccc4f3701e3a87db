import { SignJWT } from 'jose'
import { checkCount } from '../api/clientOptions.ts'
import { checkOptions } from '../core/checkOptions.ts'
import { type Clock, type InvalidClockError, readClock } from '../core/clock.ts'
import { InvalidOptionError } from '../core/errors/inputErrors.ts'
import { credentialHours } from '../core/limits.ts'
import { anyAddress } from '../schema/values.ts'

/**
 * Signs the `destinationAuthKey` of a checkout: a JWT (RFC 7519, HS256) that names another receiver for the settled payment
 * (PROTOCOL.md 10.2 and 10.3).
 *
 * Pass the result to `createCheckoutJwt`, so that a browser cannot replace it.
 *
 * @param options.address receiver on the chain where the payment settles, in that chain's format
 * @param options.secret the merchant's JWT secret at the service, 32 characters or more
 * @param options.validForSeconds how long a checkout may use it. Default: the lifetime of a checkout JWT (PROTOCOL.md 1.3)
 * @throws {@link InvalidOptionError} for an invalid address, secret or time; the secret is never shown
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
    validForSeconds = credentialHours * 3_600,
    now,
  } = checkOptions(options, {
    address: 'any',
    secret: 'any',
    validForSeconds: 'any',
    now: 'any',
  })
  if (!anyAddress.safeParse(address).success)
    throw new InvalidOptionError('The address is not 1 to 256 printable characters.', {
      field: 'address',
      fix: 'Pass the address of a wallet as text, without spaces.',
    })
  // HS256 requires a key at least as long as its output (RFC 7518, 3.2).
  if (typeof secret !== 'string' || new TextEncoder().encode(secret).length < 32)
    throw new InvalidOptionError('The secret is missing, or shorter than 32 characters.', {
      field: 'secret',
      fix: "Pass the merchant's JWT secret as text, from your server's secrets.",
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
