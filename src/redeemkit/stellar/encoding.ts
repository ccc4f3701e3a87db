import { base64 } from '@scure/base'
import { InvalidBase64Error } from '../core/errors/inputErrors.ts'
import { showValue } from '../core/errors/showValue.ts'

/** Casts bytes to `Buffer`, which the SDK's types require; its code accepts any bytes, and browsers have no `Buffer`. */
export function asBuffer(bytes: Uint8Array): Buffer {
  // Sound for `hash`, `Keypair.sign` and `Keypair.verify`, which copy the bytes themselves.
  return bytes as Buffer
}

/** Writes bytes as padded base64. */
export const formatBase64 = (bytes: Uint8Array): string => base64.encode(bytes)

/**
 * Parses canonical padded base64. The decoders of the platform and the SDK skip unknown characters and accept truncated text.
 *
 * @throws `InvalidBase64Error`
 */
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
