import { xdr } from '@stellar/stellar-sdk'
import { accountEntry } from '../entries/formatEntry.ts'
import { createAccount } from '../entries/state.ts'
import type { HostResult } from '../host/runHostFunction.ts'

/** The meta of a friendbot's payment: the account that was created. */
export function createdAccountMeta(
  address: string,
  balance: bigint,
  sequence: bigint,
  ledger: number,
): string {
  const entry = new xdr.LedgerEntry({
    lastModifiedLedgerSeq: ledger,
    data: accountEntry(createAccount(address, balance, sequence)),
    ext: new xdr.LedgerEntryExt(0),
  })
  const operation = new xdr.OperationMetaV2({
    ext: new xdr.ExtensionPoint(0),
    changes: [xdr.LedgerEntryChange.ledgerEntryCreated(entry)],
    events: [],
  })
  return transactionMeta(undefined, [operation]).toXDR('base64')
}

/** The meta of a transaction: what its call returned and published. */
export function transactionMeta(
  host: HostResult | undefined,
  operations: xdr.OperationMetaV2[] = [],
): xdr.TransactionMeta {
  return new xdr.TransactionMeta(
    4,
    new xdr.TransactionMetaV4({
      ext: new xdr.ExtensionPoint(0),
      txChangesBefore: [],
      operations:
        host === undefined
          ? operations
          : [
              new xdr.OperationMetaV2({
                ext: new xdr.ExtensionPoint(0),
                changes: [],
                events: [...host.events],
              }),
            ],
      txChangesAfter: [],
      sorobanMeta:
        host === undefined
          ? null
          : new xdr.SorobanTransactionMetaV2({
              ext: new xdr.SorobanTransactionMetaExt(0),
              returnValue: host.returnValue,
            }),
      events: [],
      diagnosticEvents: [],
    }),
  )
}
