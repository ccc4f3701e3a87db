import { base64 } from '@scure/base'
import { InvalidBase64Error } from './errors/inputErrors.ts'
import { showValue } from './errors/showValue.ts'

export const formatBase64 = (bytes: Uint8Array): string => base64.encode(bytes)

/** Stricter than the decoders of the platform and of Stellar's SDK, which skip unknown characters and accept truncated text. */
export function parseBase64(text: string, field: string): Uint8Array {
  try {
    if (text !== '') return base64.decode(text)
  } catch {
    // The error below says more.
  }
  throw new InvalidBase64Error(`${showValue(text)} is not canonical base64 (RFC 4648).`, {
    field,
    fix: 'Pass the whole text with its padding; it may be cut off.',
  })
}
