import { Address, type xdr } from '@stellar/stellar-sdk'
import { InvalidTransactionError } from '../../core/errors/inputErrors.ts'

/** Who signs an authorization entry, and until when. */
export type AddressCredentials = {
  holder: xdr.SorobanAddressCredentials
  /** Whether its signature names the address that it is for (CAP-71). */
  namesAddress: boolean
  /** Who signs in the place of a contract account, and who in theirs (CAP-71). */
  delegates: readonly string[]
}

/** What SDK 16 has for CAP-71; 15 reads no such entry at all, and has no types for it. */
type LaterCredentials = {
  addressV2: () => xdr.SorobanAddressCredentials
  addressWithDelegates: () => {
    addressCredentials: () => xdr.SorobanAddressCredentials
    delegates: () => readonly Delegate[]
  }
}
type Delegate = { address: () => xdr.ScAddress; nestedDelegates: () => readonly Delegate[] }

/**
 * The credentials of an authorization entry; undefined when the transaction's source authorizes by its signature.
 *
 * @throws `InvalidTransactionError` for credentials that are known neither to CAP-46-11 nor to CAP-71
 */
export function addressCredentialsOf(entry: xdr.SorobanAuthorizationEntry): AddressCredentials | undefined {
  const credentials = entry.credentials()
  // Each arm is read only where the name says that it is there.
  const later = credentials as unknown as LaterCredentials
  const name: string = credentials.switch().name
  if (name === 'sorobanCredentialsSourceAccount') return undefined
  if (name === 'sorobanCredentialsAddress')
    return { holder: credentials.address(), namesAddress: false, delegates: [] }
  if (name === 'sorobanCredentialsAddressV2')
    return { holder: later.addressV2(), namesAddress: true, delegates: [] }
  if (name === 'sorobanCredentialsAddressWithDelegates') {
    const both = later.addressWithDelegates()
    return {
      holder: both.addressCredentials(),
      namesAddress: true,
      delegates: both.delegates().flatMap(namesOf),
    }
  }
  throw new InvalidTransactionError(`The authorization has unknown credentials (${name}).`, {
    field: 'authEntry',
    fix: 'Do not sign it; look for a newer version of this package.',
  })
}

const namesOf = (delegate: Delegate): string[] => [
  Address.fromScAddress(delegate.address()).toString(),
  ...delegate.nestedDelegates().flatMap(namesOf),
]
