/**
 * What kind of value it is, for an error about one that may be a secret: type and length, and none of its characters.
 */
export function typeOf(value: unknown): string {
  if (typeof value === 'string') return `text of ${value.length} characters`
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return `a list of ${value.length}`
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
