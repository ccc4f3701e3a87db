import type { StellarNetwork } from '../networks.ts'
import { isSignatureOf } from './isSignatureOf.ts'
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
  const { network, digest, address } = options
  const { transaction, feeBump = transaction } = parseTransaction(transactionXdr, network)
  if (!feeBump.hash().equals(digest)) return undefined
  return feeBump.signatures.find((signature) => isSignatureOf(signature, address, digest))?.signature()
}
