import { InvalidOptionError } from './errors/inputErrors.ts'
import { credentialHours } from './limits.ts'

/** How far the service's clock may be ahead of the system clock, in milliseconds. */
export const clockSkewMs = 600_000
/** Tolerance, because a service may count the validity of a sign-in from a later time than `issuedAt`. */
const extraLifeMs = 60_000
/** Maximum validity of a sign-in message, in milliseconds (PROTOCOL.md 8). */
export const maxLifeMs = credentialHours * 3_600_000 + extraLifeMs

/**
 * Returns whether a sign-in message was already issued and is valid for at most `maxLifeMs`. Does not check whether it has expired.
 * Times are milliseconds since 1970.
 */
export function isWithinLifetime(times: { issuedAt: number; expiresAt: number; now: number }): boolean {
  const { issuedAt, expiresAt, now } = times
  return issuedAt <= now + clockSkewMs && expiresAt > issuedAt && expiresAt <= issuedAt + maxLifeMs
}

/** Throws an {@link InvalidOptionError} unless the caller passes a list of allowed hosts. */
export function checkDomains(domains: unknown): void {
  if (!Array.isArray(domains) || domains.some((domain) => typeof domain !== 'string'))
    throw new InvalidOptionError('The allowed hosts are missing.', {
      field: 'domains',
      fix: "Pass a list of hosts: the service's own, or the page's.",
    })
}

/** Whether a nonce conforms to EIP-4361: at least 8 letters and digits. Some sites use a UUID or a short number, which do not conform. */
export const isStandardNonce = (nonce: string) => /^[A-Za-z0-9]{8,}$/.test(nonce)

/** Matches the phrases of a sign-in message, in any case and with any white space. */
const signInPattern = /sign\s*in\s+with\s+your|wants\s+you\s+to\s+sign/i
/**
 * Matches text without control characters, format characters (including bidirectional ones) or lone surrogates. With those, the text that
 * the user sees could differ from the signed text.
 */
const readable = /^[^\p{Cc}\p{Cf}\p{Cs}]+$/u

/** Whether text claims to be a sign-in message, and so must have exactly that format. */
export function claimsSignIn(message: string): boolean {
  return signInPattern.test(message)
}

/**
 * Whether `allowPlainText` permits signing this text: it is not empty, does not claim to be a sign-in message, and has no invisible
 * characters. Line feeds are the only control characters that it may have.
 */
export function isPlainText(message: unknown): message is string {
  return (
    typeof message === 'string' &&
    message.trim() !== '' &&
    readable.test(message.replaceAll('\n', ' ')) &&
    !claimsSignIn(message)
  )
}
