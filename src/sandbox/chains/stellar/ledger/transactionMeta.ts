import { xdr } from '@stellar/stellar-sdk'
import { accountEntry } from '../entries/formatEntry.ts'
import { ledgerEntry } from '../entries/ledgerEntry.ts'
import { accountLedgerKey } from '../entries/ledgerKeys.ts'
import { createAccount } from '../entries/state.ts'
import type { HostResult } from '../host/runHostFunction.ts'
import { type EntryChange, formatChanges } from './entryChanges.ts'

/** The meta of a friendbot's payment: the account that was created. */
export function createdAccountMeta(
  address: string,
  balance: bigint,
  sequence: bigint,
  ledger: number,
): string {
  const after = ledgerEntry(accountEntry(createAccount(address, balance, sequence)), ledger)
  const changes = [[{ key: accountLedgerKey(address), before: undefined, after }]]
  return transactionMeta({ host: undefined, changes, fees: noFees }).toXDR('base64')
}

/** Of the resource fee, in stroops. */
type ResourceFees = { nonRefundable: bigint; refundable: bigint; rent: bigint }

const noFees: ResourceFees = { nonRefundable: 0n, refundable: 0n, rent: 0n }

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
