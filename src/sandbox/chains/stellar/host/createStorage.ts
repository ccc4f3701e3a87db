import type { xdr } from '@stellar/stellar-sdk'
import { contractDataLedgerKey, readContractData, writeContractData } from '../entries/ledgerKeys.ts'
import type { LedgerState } from '../entries/state.ts'
import type { Durability } from './contract.ts'

/** Records the ledger entries a call reads and writes, by base64 XDR of their keys. */
export type Footprint = {
  touch: (key: xdr.LedgerKey, isWrite: boolean) => void
  /** Entries that were read but not written. */
  reads: () => ReadonlyMap<string, xdr.LedgerKey>
  writes: () => ReadonlyMap<string, xdr.LedgerKey>
}

export function recordFootprint(): Footprint {
  const reads = new Map<string, xdr.LedgerKey>()
  const writes = new Map<string, xdr.LedgerKey>()
  return {
    touch: (key, isWrite) => (isWrite ? writes : reads).set(key.toXDR('base64'), key),
    reads: () => new Map([...reads].filter(([name]) => !writes.has(name))),
    writes: () => writes,
  }
}

export type Storage = {
  get: (contract: string, key: xdr.ScVal, durability?: Durability) => xdr.ScVal | undefined
  set: (contract: string, key: xdr.ScVal, value: xdr.ScVal, durability?: Durability) => void
}

export function createStorage(state: LedgerState, sequence: number, { touch }: Footprint): Storage {
  return {
    get(contract, key, durability) {
      const ledgerKey = contractDataLedgerKey(contract, key, durability)
      touch(ledgerKey, false)
      return readContractData(state, ledgerKey, sequence)
    },
    set(contract, key, value, durability) {
      const ledgerKey = contractDataLedgerKey(contract, key, durability)
      touch(ledgerKey, true)
      writeContractData(state, ledgerKey, value, { sequence })
    },
  }
}
