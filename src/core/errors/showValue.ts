/**
 * Renders an offending value for an error message: short, single-line, and never a whole secret.
 *
 * Text above `maxLength` characters keeps its first characters and its length, so that a signature or a key never
 * reaches a log in full.
 */
export function showValue(value: unknown, maxLength = 48): string {
  if (typeof value === 'bigint') return cut(value.toString(), maxLength)
  if (typeof value === 'string') return JSON.stringify(cut(value, maxLength))
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'symbol') return 'a symbol'
  if (value === undefined) return 'undefined'
  if (typeof value === 'object' && value !== null) {
    try {
      if (value instanceof Error) return cut(value.name, maxLength)
      if (Array.isArray(value)) return `a list of ${value.length}`
    } catch {
      // an object that breaks while it is looked at
    }
    return 'an object'
  }
  return String(value)
}

function cut(text: string, maxLength: number): string {
  return text.length <= maxLength
    ? text
    : `${text.slice(0, Math.min(18, maxLength))}… (${text.length} characters)`
}
