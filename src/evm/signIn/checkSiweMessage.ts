import type { Address } from 'viem'
import { BaseError } from '../../core/errors/baseError.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { ExpiredError, NotYetValidError } from '../values/checkTime.ts'
import type { SiweMessage } from './parseSiweMessage.ts'

/**
 * Holds a sign-in text against who signs, where, and for which site (decisions, section 8).
 *
 * @throws {@link SiweMismatchError} naming the field; ExpiredError; NotYetValidError
 */
export function checkSiweMessage(message: SiweMessage, options: checkSiweMessage.Options): void {
  const { address, chainId, domains, now } = options
  if (message.address !== address) throw mismatch('address', message.address, address)
  if (message.chainId !== chainId) throw mismatch('chainId', message.chainId, chainId)
  const allowed = domains.map((domain) => domain.toLowerCase())
  if (!allowed.includes(message.domain.toLowerCase()))
    throw mismatch('domain', message.domain, domains.join(' or ') || 'none')
  const uri = new URL(message.uri)
  if (uri.username !== '' || uri.password !== '' || !isHostOf(uri, allowed))
    throw mismatch('uri', message.uri, `an address on ${domains.join(' or ')}`)
  const time = now()
  if (message.notBefore !== undefined && message.notBefore > time)
    throw new NotYetValidError(
      `The sign-in message is valid from ${iso(message.notBefore)}, and now is ${iso(time)}.`,
      {
        field: 'message.notBefore',
        fix: 'Check the clock of this machine, then ask for a new message.',
        docs: 'EIP-4361',
      },
    )
  if (message.expirationTime !== undefined && message.expirationTime <= time)
    throw new ExpiredError(`The sign-in message expired at ${iso(message.expirationTime)}.`, {
      field: 'message.expirationTime',
      fix: 'Check the clock of this machine, then ask for a new message.',
      docs: 'EIP-4361',
    })
}

export declare namespace checkSiweMessage {
  type Options = {
    address: Address
    chainId: number
    /** Hosts, with port where there is one, that may ask. */
    domains: readonly string[]
    now: () => number
  }
}

/** Whether a URI is an http one on an allowed host. A default port may be written or left out. */
function isHostOf(uri: URL, allowed: readonly string[]): boolean {
  if (uri.protocol !== 'https:' && uri.protocol !== 'http:') return false
  const port = uri.port === '' ? (uri.protocol === 'https:' ? '443' : '80') : uri.port
  return allowed.some((domain) => domain === uri.host || domain === `${uri.hostname}:${port}`)
}

const iso = (time: number) => new Date(time).toISOString()

function mismatch(field: string, value: unknown, expected: unknown) {
  return new SiweMismatchError(
    `The sign-in message has ${field} ${showValue(value)}, and it should be ${showValue(expected)}.`,
    {
      field: `message.${field}`,
      fix: 'Do not sign it: another site, wallet or chain would be signed in.',
      docs: 'EIP-4361',
    },
  )
}

/** A sign-in text for another site, wallet or chain. */
export class SiweMismatchError extends BaseError {
  override readonly name = 'SiweMismatchError'
}
