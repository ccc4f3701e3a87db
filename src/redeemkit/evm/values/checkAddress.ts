import type { Address } from 'viem'
import { InvalidAddressError } from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { textToBytes } from '../bytes/textToBytes.ts'
import { keccak256 } from '../keccak/keccak256.ts'

const addressText = /^0x[0-9a-fA-F]{40}$/
const knownLimit = 4096
const known = new Map<string, Address>()

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
  const cached = known.get(value)
  if (cached !== undefined) return cached
  const checksummed = checksum(value)
  const digits = value.slice(2)
  const mixedCase = digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
  if (mixedCase && value !== checksummed)
    throw new InvalidAddressError(`Address ${value} has a wrong checksum.`, {
      field,
      fix: `Copy the address again from its source; its digits would be written ${checksummed}.`,
      docs: 'EIP-55',
    })
  if (known.size >= knownLimit) known.clear()
  known.set(value, checksummed)
  return checksummed
}

/** Writes each letter large when the digest of the digits has 8 or more in its place (EIP-55). */
function checksum(address: string): Address {
  const digits = address.slice(2).toLowerCase()
  const digest = keccak256(textToBytes(digits))
  let text: Address = '0x'
  for (let index = 0; index < 40; index++) {
    const half = (digest[index >> 1] ?? 0) >> (index & 1 ? 0 : 4)
    const digit = digits.charAt(index)
    text += half & 8 ? digit.toUpperCase() : digit
  }
  return text
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
