import { createHash } from 'node:crypto'
import { xdr } from '../../../../redeemkit/stellar/sdk.ts'
import { baseFee, baseReserve, protocolVersion } from '../entries/state.ts'
import type { Ledger } from '../ledger/createLedger.ts'

/** The latest ledger with a placeholder header, which the SDK's client requires. */
export function latestLedger(ledger: Ledger): object {
  const { sequence, closedAt } = ledger.latest()
  const zero = Buffer.alloc(32)
  const header = new xdr.LedgerHeader({
    ledgerVersion: protocolVersion,
    previousLedgerHash: zero,
    scpValue: new xdr.StellarValue({
      txSetHash: zero,
      closeTime: new xdr.Uint64(BigInt(closedAt)),
      upgrades: [],
      ext: xdr.StellarValueExt.stellarValueBasic(),
    }),
    txSetResultHash: zero,
    bucketListHash: zero,
    ledgerSeq: sequence,
    totalCoins: new xdr.Int64(0n),
    feePool: new xdr.Int64(0n),
    inflationSeq: 0,
    idPool: new xdr.Uint64(0n),
    baseFee: Number(baseFee),
    baseReserve: Number(baseReserve),
    maxTxSetSize: 100,
    skipList: [zero, zero, zero, zero],
    ext: new xdr.LedgerHeaderExt(0),
  })
  const headerXdr = header.toXDR()
  const hash = createHash('sha256').update(headerXdr).digest()
  const metadata = new xdr.LedgerCloseMeta(
    0,
    new xdr.LedgerCloseMetaV0({
      ledgerHeader: new xdr.LedgerHeaderHistoryEntry({
        hash,
        header,
        ext: new xdr.LedgerHeaderHistoryEntryExt(0),
      }),
      // The hash of the previous ledger, and no transactions; the releases of the SDK name the list differently.
      txSet: xdr.TransactionSet.fromXDR(Buffer.alloc(36)),
      txProcessing: [],
      upgradesProcessing: [],
      scpInfo: [],
    }),
  )
  return {
    id: hash.toString('hex'),
    sequence,
    protocolVersion,
    closeTime: String(closedAt),
    headerXdr: headerXdr.toString('base64'),
    metadataXdr: metadata.toXDR('base64'),
  }
}
