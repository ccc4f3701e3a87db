import type { Address } from 'viem'
import { InvalidAddressError } from '../core/errors/inputErrors.ts'
import { showValue } from '../core/errors/showValue.ts'
import { getAddress } from './viem.ts'

const addressText = /^0x[0-9a-fA-F]{40}$/

export const zeroAddress = '0x0000000000000000000000000000000000000000'

/** Returns an address with its EIP-55 checksum. Refuses a wrong checksum in mixed case: a character was changed. */
export function checkAddress(value: unknown, field: string): Address {
  if (typeof value !== 'string' || !addressText.test(value))
    throw new InvalidAddressError(`${showValue(value)} is not an address.`, {
      field,
      fix: 'Pass 0x and 40 hexadecimal digits.',
      source: 'EIP-55',
    })
  const checksummed = getAddress(value)
  const digits = value.slice(2)
  if (value !== checksummed && digits !== digits.toLowerCase() && digits !== digits.toUpperCase())
    throw new InvalidAddressError(`Address ${value} has a wrong checksum.`, {
      field,
      fix: `Copy the address again from its source; its checksummed form is ${checksummed}.`,
      source: 'EIP-55',
    })
  return checksummed
}

export function checkNonZeroAddress(value: unknown, field: string): Address {
  const address = checkAddress(value, field)
  if (address === zeroAddress)
    throw new InvalidAddressError('The zero address is not allowed.', {
      field,
      fix: 'Pass a non-zero address.',
    })
  return address
}
