import type { xdr } from '@stellar/stellar-sdk'

/** Who signs an authorization entry, and until when; undefined when the transaction's source does by its signature. */
export function addressCredentialsOf(
  entry: xdr.SorobanAuthorizationEntry,
): xdr.SorobanAddressCredentials | undefined {
  const credentials = entry.credentials()
  return credentials.switch().name === 'sorobanCredentialsAddress' ? credentials.address() : undefined
}
