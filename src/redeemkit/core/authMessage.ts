import { InvalidOptionError } from './errors/inputErrors.ts'
import { credentialHours } from './limits.ts'

/** Maximum lead of the service's clock over this one. */
export const clockSkewMs = 600_000
/** Added because a service may count the validity of a sign-in from a later time than `issuedAt`. */
const extraLifeMs = 60_000
/** Maximum validity of a sign-in (PROTOCOL.md 8). */
export const maxLifeMs = credentialHours * 3_600_000 + extraLifeMs

/**
 * Whether the times of a sign-in, in milliseconds since 1970, are plausible: already issued, and valid for at most `maxLifeMs`. It
 * may already have expired.
 */
export function isWithinLifetime(times: { issuedAt: number; expiresAt: number; now: number }): boolean {
  const { issuedAt, expiresAt, now } = times
  return issuedAt <= now + clockSkewMs && expiresAt > issuedAt && expiresAt <= issuedAt + maxLifeMs
}

/** @throws {@link InvalidOptionError} unless the caller passes a list of allowed hosts */
export function checkDomains(domains: unknown): void {
  if (!Array.isArray(domains) || domains.some((domain) => typeof domain !== 'string'))
    throw new InvalidOptionError('The allowed hosts are missing.', {
      field: 'domains',
      fix: "Pass a list of hosts: the service's own, or the page's.",
    })
}

/** Whether a nonce is one of EIP-4361: at least 8 letters and digits. Some sites use a UUID, or a short number. */
export const isStandardNonce = (nonce: string) => /^[A-Za-z0-9]{8,}$/.test(nonce)

/** Phrases that identify a sign-in message, however it is written. */
const signInPattern = /sign\s*in\s+with\s+your|wants\s+you\s+to\s+sign/i
/**
 * Rejects control and format characters, including bidirectional ones, and broken surrogates: the text shown would differ from
 * the text signed.
 */
const readable = /^[^\p{Cc}\p{Cf}\p{Cs}]+$/u

/** Whether a text claims to be a sign-in message, so that it must match the format exactly. */
export function claimsSignIn(message: string): boolean {
  return signInPattern.test(message)
}

/**
 * Whether a text that is not a sign-in message may be signed with `allowPlainText`: it is not empty, does not claim to be a
 * sign-in, and is fully visible. Line feeds are the only control characters.
 */
export function isPlainText(message: unknown): message is string {
  return (
    typeof message === 'string' &&
    message.trim() !== '' &&
    readable.test(message.replaceAll('\n', ' ')) &&
    !claimsSignIn(message)
  )
}
