import { InvalidAuthMessageError } from '../../core/authMessage/authMessageErrors.ts'

/** A Solana sign-in text, taken apart. Times are milliseconds since 1970. */
export type AuthMessage = {
  domain: string
  address: string
  statement: string | undefined
  uri: string
  chainId: string
  nonce: string
  issuedAt: number
  expiresAt: number
  notBefore: number | undefined
}

const layout =
  /^([^\s/@?#\x7f-\uffff]+) wants you to sign in with your Solana account:\n([1-9A-HJ-NP-Za-km-z]{32,44})\n\n(?:([ -~]+)\n\n)?URI: (\S+)\nVersion: 1\nChain ID: (\S+)\nNonce: ([A-Za-z0-9]{8,128})\nIssued At: (\S+)\nExpiration Time: (\S+)(?:\nNot Before: (\S+))?(?:\nRequest ID: [!-~]*)?(?:\nResources:(?:\n- [!-~]+)*)?$/
const dateTime =
  /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/

/**
 * Takes the service's sign-in text for Solana apart: EIP-4361's layout with "Solana account", as wallets know
 * it from Sign In With Solana, with URI, version, chain, nonce, issue and expiration time all present.
 *
 * @throws {@link InvalidAuthMessageError} for any other text, down to a blank too many
 */
export function parseAuthMessage(message: string): AuthMessage {
  const match = typeof message === 'string' && message.length <= 4096 ? layout.exec(message) : null
  if (match === null) throw unknown('message', 'is not a Solana sign-in text')
  const [
    ,
    domain = '',
    address = '',
    statement,
    uri = '',
    chainId = '',
    nonce = '',
    issued = '',
    expires = '',
  ] = match
  const time = (field: string, text: string) => {
    const day = dateTime.exec(text)?.[1]
    // A day that a month does not have rolls over to the next one in silence.
    const isDay = day !== undefined && new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) === true
    if (!isDay) throw unknown(field, 'is not an ISO 8601 time')
    return Date.parse(text)
  }
  return {
    domain,
    address,
    statement,
    uri,
    chainId,
    nonce,
    issuedAt: time('message.Issued At', issued),
    expiresAt: time('message.Expiration Time', expires),
    notBefore: match[9] === undefined ? undefined : time('message.Not Before', match[9]),
  }
}

export declare namespace parseAuthMessage {
  type ErrorType = InvalidAuthMessageError
}

function unknown(field: string, what: string): InvalidAuthMessageError {
  return new InvalidAuthMessageError(`The ${field} ${what}.`, {
    field,
    fix: 'Ask the service for a new message. Set allowPlainText only for a service that you know to send other text.',
    docs: 'PROTOCOL.md 8.3; EIP-4361',
  })
}
