import { xdr } from '@stellar/stellar-sdk'
import { type LedgerState, minimumTtl } from './state.ts'

/**
 * The value of a contract's entry in a ledger.
 *
 * @returns undefined when there is none, and when it was temporary and its last ledger is over
 */
export function readContractData(
  state: LedgerState,
  key: xdr.LedgerKey,
  sequence: number,
): xdr.ScVal | undefined {
  const name = key.toXDR('base64')
  const stored = state.contractData.get(name)
  if (stored === undefined) return undefined
  if (isTemporary(key) && (state.liveUntil.get(name) ?? 0) < sequence) return undefined
  return xdr.ScVal.fromXDR(stored, 'base64')
}

/** Writes the value of a contract's entry. A new one lives as long as its kind does at least, any until `liveUntil` at least. */
export function writeContractData(
  state: LedgerState,
  key: xdr.LedgerKey,
  value: xdr.ScVal,
  { sequence, liveUntil = 0 }: { sequence: number; liveUntil?: number | undefined },
): void {
  const name = key.toXDR('base64')
  const isNew = readContractData(state, key, sequence) === undefined
  const first = isNew ? firstLiveUntil(key, sequence) : (state.liveUntil.get(name) ?? 0)
  state.contractData.set(name, value.toXDR('base64'))
  state.liveUntil.set(name, Math.max(first, liveUntil))
}

/** The last ledger of an entry that is made in a ledger. */
export function firstLiveUntil(key: xdr.LedgerKey, sequence: number): number {
  return sequence + (isTemporary(key) ? minimumTtl.temporary : minimumTtl.persistent) - 1
}

/** Whether an entry is gone after its last ledger. */
export function isTemporary(key: xdr.LedgerKey): boolean {
  return key.switch().name === 'contractData' && key.contractData().durability().name === 'temporary'
}
