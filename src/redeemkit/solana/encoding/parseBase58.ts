import { BaseError } from '../../core/errors/baseError.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { base58Alphabet } from './formatBase58.ts'

/** More text than any transaction (1232 bytes) needs. */
const longestText = 1700

/**
 * Reads base58 text. The inverse of `formatBase58`: every text has one reading, every reading one text.
 *
 * @throws {@link InvalidBase58Error} for other characters, empty or overlong text, and a length that is not
 *   the asked one
 */
export function parseBase58(text: string, options: parseBase58.Options): Uint8Array {
  const { field, length } = options
  const fail = (what: string, fix: string): never => {
    throw new InvalidBase58Error(`${showValue(text)} ${what}`, { field, fix })
  }
  if (typeof text !== 'string' || text === '' || text.length > longestText)
    return fail('is not base58 text.', `Give 1 to ${longestText} base58 characters.`)
  const bytes: number[] = []
  let zeros = 0
  for (const character of text) {
    let carry = base58Alphabet.indexOf(character)
    if (carry < 0) return fail('is not base58.', 'Use letters and digits without 0, O, I and l.')
    if (carry === 0 && bytes.length === 0) zeros++
    for (let i = 0; i < bytes.length || carry > 0; i++) {
      carry += (bytes[i] ?? 0) * 58
      bytes[i] = carry & 255
      carry >>= 8
    }
  }
  const result = Uint8Array.from([...Array<number>(zeros).fill(0), ...bytes.reverse()])
  if (length !== undefined && result.length !== length)
    return fail(`holds ${result.length} bytes, not ${length}.`, 'Give the whole text; it may be cut off.')
  return result
}

export declare namespace parseBase58 {
  type Options = {
    /** Name of the field for the error. */
    field: string
    /** Bytes that the text must hold: 32 for an address, 64 for a signature. */
    length?: number | undefined
  }
  type ErrorType = InvalidBase58Error
}

/** Text that is not base58, or not as much of it as was needed. */
export class InvalidBase58Error extends BaseError {
  override readonly name = 'InvalidBase58Error'
}
