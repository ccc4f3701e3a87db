import {
  AuthMessageExpiredError,
  AuthMessageMismatchError,
  checkDomains,
  clockSkewMs,
  InvalidAuthMessageError,
  isPlainText,
  isWithinLifetime,
} from '../../core/authMessage.ts'
import { formatBase64 } from '../../core/base64.ts'
import type { Environment } from '../../core/blockchains.ts'
import type { AuthExpectation } from '../../core/chainAdapter.ts'
import { readClock } from '../../core/clock.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { WrongNetworkError } from '../../core/errors/walletErrors.ts'
import { credentialHours } from '../../core/limits.ts'
import { plainHost } from '../../core/parseUrl.ts'
import { networkOf } from '../networks.ts'
import type { ParsedTransaction } from '../transaction/parseTransaction.ts'
import { programs } from '../transaction/programs.ts'

/** A parsed Solana sign-in text. Times are milliseconds since 1970. */
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
 * Parses the service's sign-in text for Solana: EIP-4361's layout with "Solana account", as in Sign In With Solana. URI,
 * version, chain, nonce, issue and expiration time are required.
 *
 * @throws {@link InvalidAuthMessageError} for any other text, even with one extra space
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
    // `Date` silently turns an invalid day of a month into one of the next month.
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
    fix: 'Ask the service for a new message. Set allowPlainText only if the service sends free text.',
    source: 'PROTOCOL.md 8.3; EIP-4361',
  })
}

/** Returns the unix seconds at which the signed text expires; `undefined` for plain text, which states no expiry. */
export function checkAuthMessage(options: checkAuthMessage.Options): number | undefined {
  const { message, address, environment, domains, allowPlainText } = options
  const network = networkOf(environment)
  checkDomains(domains)
  // Text that claims to be a sign-in must pass every check, even with allowPlainText. Text with control characters
  // is never signed, because it could be a transaction.
  if (allowPlainText === true && isPlainText(message)) return undefined
  const parsed = parseAuthMessage(message)
  const fail = (field: string, value: string, wanted: string) => {
    throw new AuthMessageMismatchError(`The message's ${field} is ${showValue(value)}, not ${wanted}.`, {
      field: `message.${field}`,
      fix: 'Do not sign it: it was made for another wallet or site.',
    })
  }
  const hosts = domains.map((domain) => domain.toLowerCase())
  const uriHost = plainHost(parsed.uri)
  if (parsed.address !== address) fail('address', parsed.address, address)
  if (!hosts.includes(parsed.domain.toLowerCase())) fail('domain', parsed.domain, domains.join(' or '))
  if (uriHost === undefined || !hosts.includes(uriHost))
    fail('URI', parsed.uri, `an address at ${domains.join(' or ')}`)
  if (!network.chainIds.includes(parsed.chainId))
    throw new WrongNetworkError(
      `The message is for chain ${showValue(parsed.chainId)}, not ${network.name}.`,
      {
        field: 'message.Chain ID',
        fix: `Sign in at the service's ${environment} environment.`,
      },
    )
  const { issuedAt, expiresAt, notBefore = issuedAt } = parsed
  const now = readClock(options.now)
  if (!(expiresAt > now))
    throw new AuthMessageExpiredError('The message has expired.', {
      field: 'message.Expiration Time',
      fix: "Ask for a new message. If the new message has expired too, correct this device's clock.",
    })
  if (!isWithinLifetime({ issuedAt, expiresAt, now }) || notBefore > now + clockSkewMs)
    throw new AuthMessageExpiredError(
      `The message was issued in the future, or is valid for more than ${credentialHours} hours.`,
      {
        field: 'message.Issued At',
        fix: "Do not sign it: a signed message is a credential. Check this device's clock.",
      },
    )
  return Math.floor(expiresAt / 1000)
}

export declare namespace checkAuthMessage {
  type Options = AuthExpectation & {
    message: string
    /** Base58. */
    address: string
    environment: Environment
  }
}

/** 32 zero bytes. No block has this hash, so a transaction with it can never be included. */
export const impossibleBlockhash = '11111111111111111111111111111111'

/**
 * Checks that a sign-in transaction has no effect. The wallet must be its only signer and only writable account. Its only instruction must
 * be a memo (any version of the program) with the sign-in text. Its blockhash must be all zeros: with no other instruction, no durable
 * nonce can replace it.
 */
export function checkAuthTransaction(
  parsed: ParsedTransaction,
  options: { address: string; message: string },
): undefined {
  const { address, message } = options
  const { keys, signers, instructions, lookups, blockhash, readonlyOthers } = parsed
  const [first, ...more] = instructions
  const fail = (field: string, what: string) => {
    throw new InvalidAuthMessageError(`The sign-in transaction ${what}.`, {
      field: `transaction.${field}`,
      fix: 'Do not sign it. Sign in with the message, or ask the service for a new transaction.',
      source: 'PROTOCOL.md 8.3',
    })
  }
  if (signers !== 1 || keys[0] !== address) fail('signers', `must be signed by ${address} alone`)
  if (blockhash !== impossibleBlockhash) fail('blockhash', `could be included: its blockhash is ${blockhash}`)
  if (keys.length !== 2 || readonlyOthers !== 1 || lookups.length > 0)
    fail('accounts', 'names accounts other than the wallet and the memo program')
  if (first === undefined || more.length > 0) return fail('instructions', 'must have one instruction')
  const { memo, memoV1, memoV4 } = programs
  if (![memo, memoV1, memoV4].some((program) => program === keys[first.program]))
    fail('instructions', 'is not a memo')
  // The memo may list accounts as signers. Only index 0, the wallet, is allowed.
  if (first.accounts.some((index) => index !== 0)) fail('instructions', 'names the wrong signer')
  if (formatBase64(first.data) !== formatBase64(new TextEncoder().encode(message)))
    fail('memo', 'has a different text than the message')
}
