import { Address, hash, xdr } from '@stellar/stellar-sdk'
import { asBuffer } from '../encoding/asBuffer.ts'
import type { StellarNetwork } from '../networks.ts'
import { isSignedBy } from '../signer/isSignedBy.ts'

/** Whether an entry carries the one signature of its address over its preimage. */
export function isEntrySigned(
  entry: xdr.SorobanAuthorizationEntry,
  address: string,
  network: StellarNetwork,
): boolean {
  let fields: Map<string, Buffer>
  try {
    const [signature, ...more] = entry.credentials().address().signature().vec() ?? []
    fields = new Map(signature?.map()?.map((field) => [field.key().sym().toString(), field.val().bytes()]))
    if (more.length > 0) return false
  } catch {
    return false
  }
  const bytes = fields.get('signature')
  const key = fields.get('public_key')
  return (
    fields.size === 2 &&
    bytes !== undefined &&
    key?.equals(Address.fromString(address).toBuffer()) === true &&
    isSignedBy(address, hash(authPreimage(entry, network).toXDR()), bytes)
  )
}

/** What the signature of an authorization entry signs; its hash is what a key gets to see. */
function authPreimage(entry: xdr.SorobanAuthorizationEntry, network: StellarNetwork): xdr.HashIdPreimage {
  const holder = entry.credentials().address()
  return xdr.HashIdPreimage.envelopeTypeSorobanAuthorization(
    new xdr.HashIdPreimageSorobanAuthorization({
      networkId: hash(asBuffer(new TextEncoder().encode(network.networkPassphrase))),
      nonce: holder.nonce(),
      signatureExpirationLedger: holder.signatureExpirationLedger(),
      invocation: entry.rootInvocation(),
    }),
  )
}
