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

/**
 * What a foreign error says, as an error of ours quotes it: one line, short, and without what may be a secret.
 *
 * Of the address of a page or a node its host remains; tokens, phrases of words, and long words with digits in them, as keys,
 * seeds and signatures are, go as a whole, before anything is shortened. An EVM address stays.
 */
export function showReason(text: string, maxLength = 120): string {
  const clean = text
    .slice(0, 4_000)
    .replace(/([a-z][a-z+.-]{0,20}:\/\/)([^\s"']*)/gi, (_, scheme, rest) => scheme + hostOf(rest))
    .replace(/eyJ[\w-]+(?:\.[\w-]+)*/g, '…')
    .replace(/(?:\b[a-z]{3,8}\s+){11,}[a-z]{3,8}\b/g, '…')
    .replace(/[\w+/=-]{20,}/g, (word) => (isAddress.test(word) || !/\d.*\d/.test(word) ? word : '…'))
  return showText(clean, maxLength)
}

/** Without a user, a path or a query: any of them may be a key. */
function hostOf(rest: string): string {
  const [authority = ''] = rest.split(/[/?#\\]/, 1)
  return authority.slice(authority.lastIndexOf('@') + 1)
}

const isAddress = /^0x[0-9a-f]{40}$/i
