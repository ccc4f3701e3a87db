import { extractBaseAddress, StrKey } from '@stellar/stellar-sdk'

/** The account that signs for an address: an `M…` is a number in a `G…` (SEP-23). */
export function baseAddress(address: string): string {
  return StrKey.isValidMed25519PublicKey(address) ? extractBaseAddress(address) : address
}
