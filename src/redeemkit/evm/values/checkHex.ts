import type { Hex } from 'viem'
import { BaseError } from '../../core/errors/baseError.ts'
import { showValue } from '../../core/errors/showValue.ts'

const hexText = /^0x(?:[0-9a-fA-F]{2})*$/

/**
 * Takes whole bytes as 0x-hex. The text is returned as it is, in its own case.
 *
 * @param options.bytes the exact length, when there is one
 * @throws {@link InvalidHexError}
 */
export function checkHex(value: unknown, field: string, options: { bytes?: number | undefined } = {}): Hex {
  const { bytes } = options
  if (typeof value !== 'string' || !hexText.test(value))
    throw new InvalidHexError(`${showValue(value, 24)} is not 0x-hex of whole bytes.`, {
      field,
      fix: 'Give 0x and an even number of hexadecimal digits.',
    })
  if (bytes !== undefined && value.length !== 2 + 2 * bytes)
    throw new InvalidHexError(`${showValue(value, 24)} has ${(value.length - 2) / 2} bytes.`, {
      field,
      fix: `Give exactly ${bytes} bytes: 0x and ${2 * bytes} hexadecimal digits.`,
    })
  // `hexText` has just proved the 0x that the type asks for
  return value as Hex
}

/** Text that is not hexadecimal bytes, or not as many as there must be. */
export class InvalidHexError extends BaseError {
  override readonly name = 'InvalidHexError'
}
