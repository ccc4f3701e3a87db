import { parseTransaction } from '../../../redeemkit/stellar/envelope/parseTransaction.ts'
import { findSignature } from '../../../redeemkit/stellar/envelope/signEnvelope.ts'
import type { inspect } from '../../../redeemkit/stellar/inspect/inspect.ts'
import type { StellarNetwork } from '../../../redeemkit/stellar/networks.ts'

/** Whether the customer's signature is there: on the envelope, or in each authorization that wants one. */
export function isSignedByCustomer(options: {
  transaction: string
  from: string
  network: StellarNetwork
  details: inspect.Details
}): boolean {
  const { transaction, from, network, details } = options
  const own = details.authorizations.filter(
    (entry) => entry.address === from && entry.validUntilLedger !== undefined,
  )
  if (own.some((entry) => !entry.isSigned)) return false
  const signsEnvelope = details.source === from || details.operations?.some(({ source }) => source === from)
  if (!signsEnvelope)
    return own.length > 0 || details.operations?.every(({ payment }) => payment === undefined) === true
  const digest = parseTransaction(transaction, network).transaction.hash()
  return findSignature(transaction, { network, digest, address: from }) !== undefined
}
