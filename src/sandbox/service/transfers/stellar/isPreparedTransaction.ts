import { xdr } from '@stellar/stellar-sdk'
import { parseTransaction } from '../../../../redeemkit/stellar/envelope/parseTransaction.ts'
import type { StellarNetwork } from '../../../../redeemkit/stellar/networks.ts'

/** Whether two transactions are the same but for what the customer adds. */
export function isPreparedTransaction(
  transaction: string,
  prepared: string,
  network: StellarNetwork,
): boolean {
  return bare(transaction, network) === bare(prepared, network)
}

/** The envelope without what the customer adds: signatures, and until when an authorization is good. */
function bare(transaction: string, network: StellarNetwork): string {
  const { transaction: parsed, feeBump } = parseTransaction(transaction, network)
  if (feeBump !== undefined) return transaction
  const envelope = parsed.toEnvelope()
  envelope.v1().signatures([])
  for (const operation of envelope.v1().tx().operations()) {
    const body = operation.body()
    if (body.switch().name !== 'invokeHostFunction') continue
    for (const entry of body.invokeHostFunctionOp().auth()) {
      const credentials = entry.credentials()
      if (credentials.switch().name !== 'sorobanCredentialsAddress') continue
      credentials.address().signature(xdr.ScVal.scvVoid())
      credentials.address().signatureExpirationLedger(0)
    }
  }
  return envelope.toXDR('base64')
}
