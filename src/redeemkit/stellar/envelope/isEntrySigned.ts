import { Address, hash, xdr } from '@stellar/stellar-sdk'
import { asBuffer } from '../encoding.ts'
import type { StellarNetwork } from '../networks.ts'
import { isSignedBy } from '../signer/isSignedBy.ts'
import { type AddressCredentials, addressCredentialsOf } from './addressCredentialsOf.ts'
import { networkIdOf } from './networkIdOf.ts'

/** Whether an entry carries the one signature of its address over its preimage. */
export function isEntrySigned(
  entry: xdr.SorobanAuthorizationEntry,
  address: string,
  network: StellarNetwork,
): boolean {
  try {
    const credentials = addressCredentialsOf(entry)
    const [signature, ...more] = credentials?.holder.signature().vec() ?? []
    const [key, bytes, ...rest] = signature?.map() ?? []
    // In this order, and nothing beside it: the network takes no other layout.
    return (
      credentials !== undefined &&
      more.length === 0 &&
      rest.length === 0 &&
      key?.key().sym().toString() === 'public_key' &&
      bytes?.key().sym().toString() === 'signature' &&
      key.val().bytes().equals(Address.fromString(address).toBuffer()) &&
      isSignedBy(address, hash(asBuffer(preimageOf(entry, credentials, network))), bytes.val().bytes())
    )
  } catch {
    return false
  }
}

/** What the signature of an authorization entry signs; its hash is what a key gets to see. */
function preimageOf(
  entry: xdr.SorobanAuthorizationEntry,
  { holder, namesAddress }: AddressCredentials,
  network: StellarNetwork,
): Uint8Array {
  const bytes = xdr.HashIdPreimage.envelopeTypeSorobanAuthorization(
    new xdr.HashIdPreimageSorobanAuthorization({
      networkId: networkIdOf(network),
      nonce: holder.nonce(),
      signatureExpirationLedger: holder.signatureExpirationLedger(),
      invocation: entry.rootInvocation(),
    }),
  ).toXDR()
  if (!namesAddress) return bytes
  // CAP-71: type 10, and the address between the end, which stops at byte 48, and the calls.
  const [head, calls] = [bytes.subarray(4, 48), bytes.subarray(48)]
  return Uint8Array.from([0, 0, 0, 10, ...head, ...holder.address().toXDR(), ...calls])
}
