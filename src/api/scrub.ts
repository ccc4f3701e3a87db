/** Takes every credential out of a value that the service sent, and what is nested too deep to be meant. */
export function scrub<value>(value: value, secrets: readonly string[]): value {
  const clean = (part: unknown, depth = 0): unknown => {
    if (depth > 64) return '[removed]'
    if (typeof part === 'string')
      return secrets.reduce((text, secret) => text.replaceAll(secret, '[removed]'), part)
    if (Array.isArray(part)) return part.map((one) => clean(one, depth + 1))
    if (typeof part === 'object' && part !== null)
      return Object.fromEntries(Object.entries(part).map(([key, one]) => [clean(key), clean(one, depth + 1)]))
    return part
  }
  // Texts change, types do not.
  return clean(value) as value
}
