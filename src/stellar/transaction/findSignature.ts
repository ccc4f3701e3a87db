import { Keypair, type xdr } from '@stellar/stellar-sdk'
import type { StellarNetwork } from '../networks.ts'
import { isSignedBy } from '../signer/isSignedBy.ts'
import { parseTransaction } from './parseTransaction.ts'

/**
 * The signature of an address in a signed transaction, if that transaction is the one of this hash and has it.
 *
 * @throws `InvalidBase64Error`, `InvalidTransactionError`
 */
export function findSignature(
  transactionXdr: string,
  options: { network: StellarNetwork; digest: Uint8Array; address: string },
): Uint8Array | undefined {
  const { transaction, feeBump } = parseTransaction(transactionXdr, options.network)
  const signed = feeBump ?? transaction
  if (!signed.hash().equals(options.digest)) return undefined
  return signed.signatures
    .find((signature) => isSignatureOf(signature, options.address, options.digest))
    ?.signature()
}

/** Whether a decorated signature, hint included, is this address's over these bytes. */
export function isSignatureOf(
  decorated: xdr.DecoratedSignature,
  address: string,
  digest: Uint8Array = new Uint8Array(),
): boolean {
  return (
    Keypair.fromPublicKey(address).signatureHint().equals(decorated.hint()) &&
    isSignedBy(address, digest, decorated.signature())
  )
}
