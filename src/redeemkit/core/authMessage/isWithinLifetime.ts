const minute = 60_000
/** How far the service's clock may be ahead of ours. */
export const clockSkewMs = 10 * minute
/** The longest life of a sign-in (PROTOCOL.md 8), with a minute for a service that counts from another moment. */
export const maxLifeMs = 24 * 60 * minute + minute

/**
 * Whether the times in a sign-in text, in milliseconds since 1970, are those of a credential that ends: issued by now, over
 * after that, and within 24 hours. Whether it is over already is another question.
 */
export function isWithinLifetime(times: { issuedAt: number; expiresAt: number; now: number }): boolean {
  const { issuedAt, expiresAt, now } = times
  return issuedAt <= now + clockSkewMs && expiresAt > issuedAt && expiresAt <= issuedAt + maxLifeMs
}
