import { describeType } from './describeType.ts'
import { showValue } from './showValue.ts'

/**
 * The name of a field in a path. One that is no plain word is shown as any foreign text, and one with many digits by its
 * length only: it may be a key in both senses.
 */
export function showKey(key: string): string {
  const digits = key.slice(0, 200).replace(/\D/g, '').length
  if (digits >= 8) return describeType(key)
  const isPlain = /^[A-Za-z_$][\w$-]*$/.test(key) && (key.length <= 40 || digits === 0)
  return isPlain ? key.slice(0, 48) : showValue(key)
}
