import { InvalidAddressError } from '../core/errors/inputErrors.ts'
import { showValue } from '../core/errors/showValue.ts'
import { extractBaseAddress, StrKey } from './sdk.ts'

/**
 * The address of a key-held account, `G…`.
 *
 * @throws `InvalidAddressError`
 */
export function checkAddress(address: unknown, field: string): string {
  if (typeof address === 'string' && StrKey.isValidEd25519PublicKey(address)) return address
  throw new InvalidAddressError(`${showValue(address, 60)} is not the address of a Stellar account.`, {
    field,
    fix: 'Use the 56 characters that begin with G; checksum and case count.',
    source: 'SEP-23',
  })
}

/** The account that signs for an address: an `M…` is a number in a `G…` (SEP-23). */
export function baseAddress(address: string): string {
  return StrKey.isValidMed25519PublicKey(address) ? extractBaseAddress(address) : address
}
