import { BaseError } from './errors/baseError.ts'
import { InvalidOptionError } from './errors/inputErrors.ts'
import { credentialHours } from './limits.ts'

/** How far the service's clock may be ahead of the system clock, in milliseconds. */
export const clockSkewMs = 600_000
/** A service may count the validity of a sign-in from a later time than `issuedAt`. */
const extraLifeMs = 60_000
/** Maximum validity of a sign-in message, in milliseconds (PROTOCOL.md 8). */
export const maxLifeMs = credentialHours * 3_600_000 + extraLifeMs

/** Compares times in milliseconds since 1970. Does not check whether the message has expired. */
export function isWithinLifetime(times: { issuedAt: number; expiresAt: number; now: number }): boolean {
  const { issuedAt, expiresAt, now } = times
  return issuedAt <= now + clockSkewMs && expiresAt > issuedAt && expiresAt <= issuedAt + maxLifeMs
}

export function checkDomains(domains: unknown): void {
  if (!Array.isArray(domains) || domains.some((domain) => typeof domain !== 'string'))
    throw new InvalidOptionError('The allowed hosts are missing.', {
      field: 'domains',
      fix: "Pass a list of hosts: the service's own, or the page's.",
    })
}

/** EIP-4361 requires at least 8 letters and digits. Some sites use a UUID or a short number. */
export const isStandardNonce = (nonce: string) => /^[A-Za-z0-9]{8,}$/.test(nonce)

const signInPattern = /sign\s*in\s+with\s+your|wants\s+you\s+to\s+sign/i
/** Excludes control, format (including bidirectional) and lone surrogate characters, which could make the text look different. */
const readable = /^[^\p{Cc}\p{Cf}\p{Cs}]+$/u

/** Text that claims to be a sign-in message must have exactly that format. */
export function claimsSignIn(message: string): boolean {
  return signInPattern.test(message)
}

/** Whether `allowPlainText` permits signing this text. Line feeds are the only control characters that it may have. */
export function isPlainText(message: unknown): message is string {
  return (
    typeof message === 'string' &&
    message.trim() !== '' &&
    readable.test(message.replaceAll('\n', ' ')) &&
    !claimsSignIn(message)
  )
}

/** The text or transaction is not a valid sign-in message of the chain, or must not be signed. */
export class InvalidAuthMessageError extends BaseError {
  override readonly name = 'InvalidAuthMessageError'
}

/** The account, site or chain of a sign-in message differs from the expected value. */
export class AuthMessageMismatchError extends BaseError {
  override readonly name = 'AuthMessageMismatchError'
}

/** The sign-in message has expired or is not yet valid. */
export class AuthMessageExpiredError extends BaseError {
  override readonly name = 'AuthMessageExpiredError'
}

/** The text has an unknown format, which only `allowPlainText` permits. */
export class PlainTextNotAllowedError extends BaseError {
  override readonly name = 'PlainTextNotAllowedError'
}
