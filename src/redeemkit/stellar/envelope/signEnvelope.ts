import type { FeeBumpTransaction, Transaction, xdr } from '@stellar/stellar-sdk'
import { formatBase64 } from '../../core/base64.ts'
import type { StellarNetwork } from '../networks.ts'
import { hash, Keypair } from '../sdk.ts'
import { isSignedBy } from '../signer/askWallet.ts'
import type { Signer } from '../signer/toSigner.ts'
import { asBuffer } from '../values.ts'
import { parseTransaction } from './parseTransaction.ts'

/** Adds a wallet's signature to a transaction or fee bump. Uses nothing else from the wallet's answer. */
export async function signEnvelope(
  wallet: Signer,
  envelope: Transaction | FeeBumpTransaction,
  network: StellarNetwork,
): Promise<string> {
  const { address } = wallet
  const digest = envelope.hash()
  const signature = await wallet.sign('signTransaction', envelope.toXDR(), digest, (signed) =>
    findSignature(signed, { network, digest, address }),
  )
  envelope.addSignature(address, formatBase64(signature))
  return envelope.toXDR()
}

/** Returns an address's signature in a signed transaction; undefined if it is missing, or if the transaction has another hash. */
export function findSignature(
  transactionXdr: string,
  options: { network: StellarNetwork; digest: Uint8Array; address: string },
): Uint8Array | undefined {
  const { network, digest, address } = options
  const { transaction, feeBump = transaction } = parseTransaction(transactionXdr, network)
  if (!feeBump.hash().equals(digest)) return undefined
  return feeBump.signatures.find((signature) => isSignatureOf(signature, address, digest))?.signature()
}

/** Whether this address signed these bytes, and the signature's hint names the address. */
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

/** An authorization's signed data contains the network id: the hash of the network's passphrase. */
export function networkIdOf({ networkPassphrase }: Pick<StellarNetwork, 'networkPassphrase'>): Buffer {
  return hash(asBuffer(new TextEncoder().encode(networkPassphrase)))
}
