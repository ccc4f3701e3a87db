import { credentialHours } from '../limits.ts'

const minute = 60_000
/** Maximum lead of the service's clock over this one. */
export const clockSkewMs = 10 * minute
/** Maximum validity of a sign-in (PROTOCOL.md 8), plus a minute for services that count from another moment. */
export const maxLifeMs = credentialHours * 60 * minute + minute

/**
 * Whether the times of a sign-in, in milliseconds since 1970, are plausible: already issued, and valid for at most `maxLifeMs`. It
 * may already have expired.
 */
export function isWithinLifetime(times: { issuedAt: number; expiresAt: number; now: number }): boolean {
  const { issuedAt, expiresAt, now } = times
  return issuedAt <= now + clockSkewMs && expiresAt > issuedAt && expiresAt <= issuedAt + maxLifeMs
}
