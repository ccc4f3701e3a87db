import type { Address } from 'viem'
import { InvalidAddressError } from '../core/errors/inputErrors.ts'
import { showValue } from '../core/errors/showValue.ts'
import { getAddress } from './viem.ts'

const addressText = /^0x[0-9a-fA-F]{40}$/

export const zeroAddress = '0x0000000000000000000000000000000000000000'

/**
 * Takes an address as text and returns it with its EIP-55 checksum.
 *
 * Text in one case carries no checksum and is taken as it is; text in mixed case must carry the right one, because a
 * wrong one means that a character was changed on the way.
 *
 * @throws {@link InvalidAddressError} when it is not 20 bytes of 0x-hex, or its checksum is wrong
 */
export function checkAddress(value: unknown, field: string): Address {
  if (typeof value !== 'string' || !addressText.test(value))
    throw new InvalidAddressError(`${showValue(value)} is not an address.`, {
      field,
      fix: 'Give 0x and 40 hexadecimal digits.',
      docs: 'EIP-55',
    })
  const checksummed = getAddress(value)
  const digits = value.slice(2)
  const mixedCase = digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
  if (mixedCase && value !== checksummed)
    throw new InvalidAddressError(`Address ${value} has a wrong checksum.`, {
      field,
      fix: `Copy the address again from its source; its digits would be written ${checksummed}.`,
      docs: 'EIP-55',
    })
  return checksummed
}

/**
 * As {@link checkAddress}, and refuses the zero address.
 *
 * @throws {@link InvalidAddressError}
 */
export function checkNonZeroAddress(value: unknown, field: string): Address {
  const address = checkAddress(value, field)
  if (address === zeroAddress)
    throw new InvalidAddressError('The zero address cannot stand here.', {
      field,
      fix: 'Give the address that is meant.',
    })
  return address
}
