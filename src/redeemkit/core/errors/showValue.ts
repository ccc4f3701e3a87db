import { oneLine } from './oneLine.ts'
import { readForeign } from './safeCause.ts'

/**
 * The result is short, on one line, and without secrets: text that may be a key, a signature, a JWT, a Stellar seed or a mnemonic is shown
 * as its length.
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
    return false
  }
}

const secretForm = /^\s*(?:eyJ[\w-]+\.[\w-]+\.|S[A-Z2-7]{55}\s*$|(?:[a-z]{3,8}\s+){11,}[a-z]{3,8}\s*$)/
const longWord = /\S{20}/

/** Describes a value by type and length only, such as `text of 66 characters`, because it may be a private key. */
export function describeType(value: unknown): string {
  if (value === undefined || value === null) return String(value)
  if (typeof value === 'string') return `text of ${value.length} characters`
  if (typeof value === 'object') {
    try {
      if (Array.isArray(value)) return `a list of length ${value.length}`
      if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`
    } catch {
      // reading the object threw
    }
    return 'an object'
  }
  return `a ${typeof value}`
}

/** Formats the name of a field. Names with many digits may be secret keys, so only their length is shown. */
export function showKey(key: string): string {
  const digits = key.slice(0, 200).replace(/\D/g, '').length
  if (digits >= 8) return describeType(key)
  const isPlain = /^[A-Za-z_$][\w$-]*$/.test(key) && (key.length <= 40 || digits === 0)
  return isPlain ? key.slice(0, 48) : showValue(key)
}

/**
 * Quotes the message of a library, a node or a wallet. Removes tokens, mnemonics, and long words with digits (keys, seeds, signatures)
 * before it truncates, and reduces URLs to their host. Keeps EVM addresses.
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

/** User name, path and query may each contain a key. */
function hostOf(rest: string): string {
  const [authority = ''] = rest.split(/[/?#\\]/, 1)
  return authority.slice(authority.lastIndexOf('@') + 1)
}

const isAddress = /^0x[0-9a-f]{40}$/i

/** Quotes untrusted text on one line, truncated, and without hex that is as long as a signature. The text cannot end the quotation. */
export function showText(text: string, maxLength = 400): string {
  return quoteText(text.replace(/(?:0x)?[0-9a-f]{120,}/gi, '…'), maxLength)
}

/** Quotes text that a user is asked to sign. Unlike `showText`, keeps long hex. */
export function quoteText(text: string, maxLength: number): string {
  return oneLine(
    JSON.stringify(
      text.length > maxLength
        ? `${text.slice(0, Math.max(18, maxLength - 30))}… (${text.length} characters)`
        : text,
    ),
  )
}
