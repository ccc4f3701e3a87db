import { describeType } from './describeType.ts'
import { readForeign } from './safeCause.ts'
import { showText } from './showText.ts'

/**
 * Renders an offending value for an error message: short, on one line, and nothing of a secret.
 *
 * Text that does not fit into `maxLength` characters and has long words, as keys and signatures are, is told by its
 * length only, and so is what has the form of a JWT, a Stellar seed or a phrase of words.
 */
export function showValue(value: unknown, maxLength = 48): string {
  if (typeof value === 'bigint') {
    const digits = value.toString()
    return digits.length > maxLength ? `a number of ${digits.length} characters` : digits
  }
  if (typeof value === 'string')
    return secretForm.test(value) || (value.length > maxLength && longWord.test(value))
      ? describeType(value)
      : showText(value, maxLength)
  if (isError(value)) return readForeign(value)?.name ?? describeType(value)
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : describeType(value)
}

function isError(value: unknown): boolean {
  try {
    return value instanceof Error
  } catch {
    // an object that breaks while it is looked at
    return false
  }
}

const secretForm = /^\s*(?:eyJ[\w-]+\.[\w-]+\.|S[A-Z2-7]{55}\s*$|(?:[a-z]{3,8}\s+){11,}[a-z]{3,8}\s*$)/
const longWord = /\S{20}/
