import { StrKey } from '@stellar/stellar-sdk'
import { InvalidAddressError } from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'

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
    docs: 'SEP-23',
  })
}
