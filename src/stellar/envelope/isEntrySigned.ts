import { Address, hash, xdr } from '@stellar/stellar-sdk'
import type { StellarNetwork } from '../networks.ts'
import { isSignedBy } from '../signer/isSignedBy.ts'
import { networkIdOf } from './networkIdOf.ts'

/** Whether an entry carries the one signature of its address over its preimage. */
export function isEntrySigned(
  entry: xdr.SorobanAuthorizationEntry,
  address: string,
  network: StellarNetwork,
): boolean {
  try {
    const [signature, ...more] = entry.credentials().address().signature().vec() ?? []
    const [key, bytes, ...rest] = signature?.map() ?? []
    // In this order, and nothing beside it: the network takes no other layout.
    return (
      more.length === 0 &&
      rest.length === 0 &&
      key?.key().sym().toString() === 'public_key' &&
      bytes?.key().sym().toString() === 'signature' &&
      key.val().bytes().equals(Address.fromString(address).toBuffer()) &&
      isSignedBy(address, hash(authPreimage(entry, network).toXDR()), bytes.val().bytes())
    )
  } catch {
    return false
  }
}

/** What the signature of an authorization entry signs; its hash is what a key gets to see. */
function authPreimage(entry: xdr.SorobanAuthorizationEntry, network: StellarNetwork): xdr.HashIdPreimage {
  const holder = entry.credentials().address()
  return xdr.HashIdPreimage.envelopeTypeSorobanAuthorization(
    new xdr.HashIdPreimageSorobanAuthorization({
      networkId: networkIdOf(network),
      nonce: holder.nonce(),
      signatureExpirationLedger: holder.signatureExpirationLedger(),
      invocation: entry.rootInvocation(),
    }),
  )
}
