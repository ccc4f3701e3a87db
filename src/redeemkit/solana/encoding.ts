import { base58 } from '@scure/base'
import { attempt } from '../core/attempt.ts'
import { BaseError } from '../core/errors/baseError.ts'
import { showValue } from '../core/errors/showValue.ts'

/** Longer than the base58 text of any transaction (1232 bytes). */
const longestBase58 = 1700

export const formatBase58 = (bytes: Uint8Array): string => base58.encode(bytes)

/** Parses base58 text strictly: each byte string has exactly one accepted text. */
export function parseBase58(text: string, options: parseBase58.Options): Uint8Array {
  const { field, length } = options
  const fail = (what: string, fix: string): never => {
    throw new InvalidBase58Error(`${showValue(text)} ${what}`, { field, fix })
  }
  if (typeof text !== 'string' || text === '' || text.length > longestBase58)
    return fail('is not base58 text.', `Pass 1 to ${longestBase58} base58 characters.`)
  const bytes = attempt(() => base58.decode(text))
  if (bytes === undefined) return fail('is not base58.', 'Use letters and digits without 0, O, I and l.')
  if (length !== undefined && bytes.length !== length)
    return fail(
      `holds ${bytes.length} bytes, not ${length}.`,
      'Pass the whole text. This one may be cut off.',
    )
  return bytes
}

export declare namespace parseBase58 {
  type Options = {
    field: string
    /** Required number of bytes: 32 for an address, 64 for a signature. */
    length?: number | undefined
  }
}

/** Reads an unsigned little-endian integer. */
export function readLittleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n)
}

/** Text that is not base58, or has the wrong length. */
export class InvalidBase58Error extends BaseError {
  override readonly name = 'InvalidBase58Error'
}
