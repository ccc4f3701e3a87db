import { xdr } from '@stellar/stellar-sdk'
import type { HostResult } from '../host/runHostFunction.ts'
import { type EntryChange, formatChanges } from './entryChanges.ts'

/** Of the resource fee, in stroops. */
type ResourceFees = { nonRefundable: bigint; refundable: bigint; rent: bigint }

/** The meta of a transaction: what each operation changed, and what a call returned, published and paid. */
export function transactionMeta({
  host,
  changes,
  fees,
}: {
  host: HostResult | undefined
  changes: readonly (readonly EntryChange[])[]
  fees: ResourceFees
}): xdr.TransactionMeta {
  const operations = changes.map(
    (ofOperation) =>
      new xdr.OperationMetaV2({
        ext: new xdr.ExtensionPoint(0),
        changes: formatChanges(ofOperation),
        events: [...(host?.events ?? [])],
      }),
  )
  return new xdr.TransactionMeta(
    4,
    new xdr.TransactionMetaV4({
      ext: new xdr.ExtensionPoint(0),
      txChangesBefore: [],
      operations,
      txChangesAfter: [],
      sorobanMeta: host === undefined ? null : sorobanMeta(host, fees),
      events: [],
      diagnosticEvents: [],
    }),
  )
}

function sorobanMeta({ returnValue }: HostResult, fees: ResourceFees): xdr.SorobanTransactionMetaV2 {
  const charged = new xdr.SorobanTransactionMetaExtV1({
    ext: new xdr.ExtensionPoint(0),
    totalNonRefundableResourceFeeCharged: new xdr.Int64(fees.nonRefundable),
    totalRefundableResourceFeeCharged: new xdr.Int64(fees.refundable),
    rentFeeCharged: new xdr.Int64(fees.rent),
  })
  return new xdr.SorobanTransactionMetaV2({ ext: new xdr.SorobanTransactionMetaExt(1, charged), returnValue })
}
