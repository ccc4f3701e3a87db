import type { InvalidAuthMessageError } from '../../core/authMessage/authMessageErrors.ts'
import {
  AuthMessageExpiredError,
  AuthMessageMismatchError,
} from '../../core/authMessage/authMessageErrors.ts'
import { isPlainText } from '../../core/authMessage/isPlainText.ts'
import { clockSkewMs, isWithinLifetime } from '../../core/authMessage/isWithinLifetime.ts'
import type { Environment } from '../../core/blockchains.ts'
import type { AuthExpectation } from '../../core/chainAdapter.ts'
import type { UnknownNetworkError } from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { WrongNetworkError } from '../../core/errors/walletErrors.ts'
import { type InvalidClockError, readClock } from '../../core/time/clock.ts'
import { networkOf } from '../networks.ts'
import { parseAuthMessage } from './parseAuthMessage.ts'

/**
 * Holds a sign-in text against the wallet, the network, the hosts that may ask, and the clock.
 *
 * @returns unix seconds at which the signed text expires; `undefined` for plain text, which says nothing
 * @throws {@link InvalidAuthMessageError} {@link AuthMessageMismatchError} {@link AuthMessageExpiredError}
 *   {@link WrongNetworkError} {@link UnknownNetworkError} {@link InvalidClockError}
 */
export function checkAuthMessage(options: checkAuthMessage.Options): number | undefined {
  const { message, address, environment, domains, allowPlainText } = options
  const network = networkOf(environment)
  if (!Array.isArray(domains) || domains.some((domain) => typeof domain !== 'string'))
    throw new AuthMessageMismatchError('Which hosts may ask for a sign-in was not said.', {
      field: 'domains',
      fix: "Give a list of hosts: the service's own, or the page's.",
    })
  // A text that passes itself off as a sign-in is held to all of it, whatever else is allowed; and no text
  // with control characters is signed, since it could be a transaction.
  if (allowPlainText === true && isPlainText(message)) return undefined
  const parsed = parseAuthMessage(message)
  const fail = (field: string, value: string, wanted: string) => {
    throw new AuthMessageMismatchError(`The message's ${field} is ${showValue(value)}, not ${wanted}.`, {
      field: `message.${field}`,
      fix: 'Do not sign it: it was made for somebody or something else.',
    })
  }
  const hosts = domains.map((domain) => domain.toLowerCase())
  const uri = URL.canParse(parsed.uri) ? new URL(parsed.uri) : undefined
  // Readers do not agree on a URI such as `https://a\\@b`: only one that says its host as `URL` would write
  // it is taken.
  const path = uri && parsed.uri.startsWith(uri.origin) ? parsed.uri.slice(uri.origin.length) : '-'
  if (parsed.address !== address) fail('address', parsed.address, address)
  if (!hosts.includes(parsed.domain.toLowerCase())) fail('domain', parsed.domain, domains.join(' or '))
  if (
    uri === undefined ||
    !hosts.includes(uri.host) ||
    !/^https?:$/.test(uri.protocol) ||
    !/^(?:[/?#][!-~]*)?$/.test(path)
  )
    fail('URI', parsed.uri, `an address at ${domains.join(' or ')}`)
  if (!network.chainIds.includes(parsed.chainId))
    throw new WrongNetworkError(
      `The message is for chain ${showValue(parsed.chainId)}, not ${network.name}.`,
      {
        field: 'message.Chain ID',
        fix: `Ask the service's ${environment} environment.`,
      },
    )
  const { issuedAt, expiresAt, notBefore = issuedAt } = parsed
  const now = readClock(options.now)
  if (!(expiresAt > now))
    throw new AuthMessageExpiredError('The message has expired.', {
      field: 'message.Expiration Time',
      fix: "Ask for a new message; if that has expired too, set this device's clock.",
    })
  if (!isWithinLifetime({ issuedAt, expiresAt, now }) || notBefore > now + clockSkewMs)
    throw new AuthMessageExpiredError('The message is from the future, or valid for more than 24 hours.', {
      field: 'message.Issued At',
      fix: "Do not sign it: a signed message is a credential. Check this device's clock.",
    })
  return Math.floor(expiresAt / 1000)
}

export declare namespace checkAuthMessage {
  type Options = AuthExpectation & {
    message: string
    /** Base58. */
    address: string
    environment: Environment
  }
  type ErrorType =
    | InvalidAuthMessageError
    | AuthMessageMismatchError
    | AuthMessageExpiredError
    | WrongNetworkError
    | UnknownNetworkError
    | InvalidClockError
}
