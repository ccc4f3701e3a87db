/**
 * Names a value by its type and length only: `text of 66 characters`, `an object`. For what may be a secret: a private
 * key where a signer should be.
 */
export function describeType(value: unknown): string {
  if (value === undefined || value === null) return String(value)
  if (typeof value === 'string') return `text of ${value.length} characters`
  if (typeof value === 'object') {
    try {
      if (Array.isArray(value)) return `a list of ${value.length}`
      if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`
    } catch {
      // an object that breaks while it is looked at
    }
    return 'an object'
  }
  return `a ${typeof value}`
}
