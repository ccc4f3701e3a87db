import type { xdr } from '@stellar/stellar-sdk'
import { type Meter, prices } from './createMeter.ts'

/** The ledger entries that a call reads and writes, by base64 XDR of their keys. */
export type Footprint = {
  touch: (key: xdr.LedgerKey, isWrite: boolean) => void
  /** What was read and not written. */
  reads: () => ReadonlyMap<string, xdr.LedgerKey>
  writes: () => ReadonlyMap<string, xdr.LedgerKey>
}

/** Starts to write down what is read and written. */
export function recordFootprint(meter: Meter): Footprint {
  const reads = new Map<string, xdr.LedgerKey>()
  const writes = new Map<string, xdr.LedgerKey>()
  return {
    touch: (key, isWrite) => {
      meter.charge(prices.entry)
      ;(isWrite ? writes : reads).set(key.toXDR('base64'), key)
    },
    reads: () => new Map([...reads].filter(([name]) => !writes.has(name))),
    writes: () => writes,
  }
}
