import { InvalidOptionError } from './errors/inputErrors.ts'
import { showValue } from './errors/showValue.ts'

export const defaultHeaderPrefix = 'x-svc-'

/** Returns the names of the service's headers for a prefix (PROTOCOL.md 1.2). */
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

/** Returns the name of the header for a prefix (PROTOCOL.md 10.4). */
export function webhookSignatureHeader(prefix = defaultHeaderPrefix): string {
  headerNames(prefix)
  return `${prefix}signature`
}
