import type { xdr } from '@stellar/stellar-sdk'
import { entrySize, isOnDisk, readLedgerEntry } from './readLedgerEntry.ts'
import type { LedgerState } from './state.ts'

/** Limits of one contract call (developers.stellar.org, Resource Limits & Fees). */
const callLimits = {
  instructions: 100_000_000,
  footprintEntries: 100,
  diskReadEntries: 100,
  diskReadBytes: 200_000,
  writeEntries: 50,
  writeBytes: 132_096,
  transactionBytes: 132_096,
}

/** The instructions that a simulation reports for every call, because this ledger does not count them. */
export const simulatedInstructions = 2_000_000

/** Fee rates in stroops (developers.stellar.org, Resource Limits & Fees; `fees.rs` of Stellar's rs-soroban-env). */
const rates = {
  per10000Instructions: 25n,
  diskReadEntry: 6_250n,
  writeEntry: 10_000n,
  diskReadKb: 1_786n,
  writeKb: 3_500n,
  transactionKb: 1_624n,
  historyKb: 16_235n,
}
const resultBytes = 300

/** In stroops. Events and rent are free here. */
export function resourceFee(resources: xdr.SorobanResources, transactionBytes: number): bigint {
  const { readOnly, readWrite } = keysOf(resources.footprint())
  const diskEntries = [...readOnly, ...readWrite].filter(isOnDisk).length
  return (
    divideUp(BigInt(resources.instructions()) * rates.per10000Instructions, 10_000n) +
    rates.diskReadEntry * BigInt(diskEntries) +
    rates.writeEntry * BigInt(readWrite.length) +
    perKb(resources.diskReadBytes(), rates.diskReadKb) +
    perKb(resources.writeBytes(), rates.writeKb) +
    perKb(transactionBytes + resultBytes, rates.historyKb) +
    perKb(transactionBytes, rates.transactionKb)
  )
}

/** A call pays for all entries of its footprint on disk, even those it does not read. */
export function diskReadBytes(keys: readonly xdr.LedgerKey[], state: LedgerState, sequence: number): number {
  return keys.filter(isOnDisk).reduce((sum, key) => sum + sizeIn(state, key, sequence), 0)
}

export function writeBytes(keys: readonly xdr.LedgerKey[], state: LedgerState, sequence: number): number {
  return keys.reduce((sum, key) => sum + sizeIn(state, key, sequence), 0)
}

export function areResourcesInvalid(resources: xdr.SorobanResources, transactionBytes: number): boolean {
  const { readOnly, readWrite } = keysOf(resources.footprint())
  const all = [...readOnly, ...readWrite]
  const hasDuplicates = new Set(all.map((key) => key.toXDR('base64'))).size !== all.length
  return (
    hasDuplicates ||
    all.some((key) => !footprintKinds.includes(key.switch().name)) ||
    all.length > callLimits.footprintEntries ||
    all.filter(isOnDisk).length > callLimits.diskReadEntries ||
    readWrite.length > callLimits.writeEntries ||
    resources.instructions() > callLimits.instructions ||
    resources.diskReadBytes() > callLimits.diskReadBytes ||
    resources.writeBytes() > callLimits.writeBytes ||
    transactionBytes > callLimits.transactionBytes
  )
}

const footprintKinds = ['account', 'trustline', 'contractData', 'contractCode']

export function keysOf(footprint: xdr.LedgerFootprint): {
  readOnly: xdr.LedgerKey[]
  readWrite: xdr.LedgerKey[]
} {
  return { readOnly: footprint.readOnly(), readWrite: footprint.readWrite() }
}

function sizeIn(state: LedgerState, key: xdr.LedgerKey, sequence: number): number {
  return entrySize(readLedgerEntry({ state, sequence, instanceOf: () => undefined }, key))
}

function perKb(bytes: number, rate: bigint): bigint {
  return divideUp(BigInt(bytes) * rate, 1024n)
}

function divideUp(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by
}
