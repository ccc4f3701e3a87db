import { Keypair, type xdr } from '@stellar/stellar-sdk'
import { isSignedBy } from '../signer/isSignedBy.ts'

/** Whether a decorated signature, hint included, is this address's over these bytes. */
export function isSignatureOf(
  decorated: xdr.DecoratedSignature,
  address: string,
  digest: Uint8Array,
): boolean {
  return (
    Keypair.fromPublicKey(address).signatureHint().equals(decorated.hint()) &&
    isSignedBy(address, digest, decorated.signature())
  )
}
