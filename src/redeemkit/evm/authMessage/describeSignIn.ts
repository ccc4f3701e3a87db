import { showText } from '../../core/errors/showText.ts'
import type { SiweMessage } from './parseSiweMessage.ts'

/** A statement is shown whole: what is cut off, nobody agreed to. Beyond this it is said how long it is. */
const longestStatement = 1_000

/**
 * A sign-in message in words: where, as whom, until when, and what it says. The statement is the service's words: quoted, on one
 * line, with everything that cannot be seen written out.
 *
 * @see EIP-4361
 */
export function describeSignIn(message: SiweMessage): string {
  const { address, chainId, domain, expirationTime, statement } = message
  const end = expirationTime === undefined ? '' : `, until ${new Date(expirationTime).toISOString()}`
  const says = statement === undefined ? '' : ` It says ${showText(statement, longestStatement)}.`
  return `Sign in to ${showText(domain, 255)} as ${address} on chain ${chainId}${end}.${says}`
}
