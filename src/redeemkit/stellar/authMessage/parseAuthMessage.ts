import { InvalidAuthMessageError } from '../../core/authMessage/authMessageErrors.ts'

/** The fields of a Stellar sign-in text. Times are unix milliseconds. */
export type AuthMessage = {
  domain: string
  address: string
  statement: string | undefined
  uri: string
  /** Name of the network: `pubnet`, `testnet`. */
  network: string
  nonce: string
  issuedAt: number
  expiresAt: number
}

const layout =
  /^(\S+) wants you to sign in with your Stellar account:\n(\w+)\n\n(?:([ -~]+)\n\n)?URI: (\S+)\nVersion: 1\nNetwork: (\S+)\nNonce: ([A-Za-z\d]{8,96})\nIssued At: (\S+)\nExpiration Time: (\S+)$/
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/

/**
 * Reads a sign-in text of the service (PROTOCOL.md 8.4). The layout is that of EIP-4361, with Stellar's words:
 *
 * ```text
 * shop.example wants you to sign in with your Stellar account:
 * G…
 *
 * An optional statement on one line.
 *
 * URI: https://shop.example
 * Version: 1
 * Network: pubnet
 * Nonce: 8 to 96 letters and digits
 * Issued At: 2026-11-20T18:00:00.000Z
 * Expiration Time: 2026-11-21T18:00:00.000Z
 * ```
 *
 * Nothing may be missing, doubled, in another order or behind the last line.
 *
 * @throws `InvalidAuthMessageError` when it is not exactly that
 */
export function parseAuthMessage(message: string): AuthMessage {
  const match = typeof message === 'string' && message.length < 4000 ? layout.exec(message) : null
  if (match === null)
    throw new InvalidAuthMessageError('The text is not a Stellar sign-in message.', {
      field: 'message',
      fix: 'Do not sign it, or say allowPlainText when the service is known to send free text.',
    })
  const [, domain = '', address = '', statement, uri = '', network = '', nonce = '', issued, expiration] =
    match
  return {
    domain,
    address,
    statement,
    uri,
    network,
    nonce,
    issuedAt: parseTime(issued, 'issuedAt'),
    expiresAt: parseTime(expiration, 'expirationTime'),
  }
}

function parseTime(text = '', field: string): number {
  const time = dateTime.test(text) ? Date.parse(text) : Number.NaN
  // A day such as February 30 either fails to parse or comes back as another one.
  if (!(time >= 0) || new Date(time).toISOString().slice(0, 19) !== text.slice(0, 19))
    throw new InvalidAuthMessageError(`"${text}" is not a moment in UTC.`, {
      field,
      fix: 'Write it as 2026-11-20T18:00:00Z (RFC 3339).',
    })
  return time
}
