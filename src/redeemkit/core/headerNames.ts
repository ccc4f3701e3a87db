import { InvalidOptionError } from './errors/inputErrors.ts'
import { showValue } from './errors/showValue.ts'

/** The default prefix of the service's header names. */
export const defaultHeaderPrefix = 'x-svc-'

/**
 * Returns the names of the service's headers for a prefix (PROTOCOL.md 1.2).
 *
 * @throws {@link InvalidOptionError} for an invalid prefix
 */
export function headerNames(prefix = defaultHeaderPrefix): HeaderNames {
  if (typeof prefix !== 'string' || !/^[a-z0-9]+(?:-[a-z0-9]+)*-$/.test(prefix) || prefix.length > 64)
    throw new InvalidOptionError(`${showValue(prefix)} cannot begin a header name.`, {
      field: 'headerPrefix',
      fix: `Use lower-case letters and digits in parts that each end with a hyphen, such as "${defaultHeaderPrefix}".`,
    })
  return {
    sessionKey: `${prefix}auth-session-key`,
    wallet: `${prefix}auth-wallet`,
    blockchain: `${prefix}auth-blockchain`,
    userId: `${prefix}auth-user-id`,
    merchantId: `${prefix}auth-merchant-id`,
    signedMessage: `${prefix}auth-signed-message`,
    clientIp: `${prefix}client-ip`,
    deviceId: 'x-device-id',
  }
}

export type HeaderNames = {
  sessionKey: string
  wallet: string
  blockchain: string
  userId: string
  merchantId: string
  signedMessage: string
  clientIp: string
  deviceId: string
}

/**
 * Returns the name of the webhook signature header for a prefix (PROTOCOL.md 10.4).
 *
 * @throws InvalidOptionError for an invalid prefix
 */
export function webhookSignatureHeader(prefix = defaultHeaderPrefix): string {
  headerNames(prefix)
  return `${prefix}signature`
}
