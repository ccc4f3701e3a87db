import type { FeeBumpTransaction, Transaction } from '@stellar/stellar-sdk'
import { formatBase64 } from '../encoding.ts'
import type { StellarNetwork } from '../networks.ts'
import type { Signer, toSigner } from '../signer/toSigner.ts'
import { findSignature } from './findSignature.ts'

/**
 * Adds a wallet's signature to a transaction, or to the fee bump around one.
 *
 * @returns base64 XDR of the envelope, in which nothing else has changed, whatever the wallet returned
 * @throws what the signer throws
 */
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

export declare namespace signEnvelope {
  type ErrorType = toSigner.ErrorType
}
