import { xdr } from '@stellar/stellar-sdk'

/** An entry of the ledger as it is written there. */
export function ledgerEntry(data: xdr.LedgerEntryData, modified: number): xdr.LedgerEntry {
  return new xdr.LedgerEntry({
    lastModifiedLedgerSeq: modified,
    data,
    ext: new xdr.LedgerEntryExt(0),
  })
}

/** The bytes that an entry takes on the ledger; 0 without one. */
export function entrySize(data: xdr.LedgerEntryData | undefined): number {
  return data === undefined ? 0 : ledgerEntry(data, 0).toXDR().length
}

/** Whether an entry is read from disk, which is counted: those of contracts are in memory (CAP-62, CAP-66). */
export function isOnDisk(key: xdr.LedgerKey): boolean {
  return !key.switch().name.startsWith('contract')
}
