import { InvalidBase64Error } from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'

/**
 * Decodes base64 strictly: canonical alphabet, padding and trailing bits, nothing around it.
 *
 * The decoders of platform and SDK skip what they do not know and take a truncated end for a shorter value.
 *
 * @throws `InvalidBase64Error`
 */
export function parseBase64(text: string, field: string): Uint8Array {
  try {
    if (typeof text === 'string' && text !== '') {
      const binary = atob(text)
      if (btoa(binary) === text) return Uint8Array.from(binary, (char) => char.charCodeAt(0))
    }
  } catch {}
  throw new InvalidBase64Error(`${showValue(text)} is not canonical base64 (RFC 4648).`, {
    field,
    fix: 'Give the whole text, with its padding; it may have been cut off.',
  })
}
