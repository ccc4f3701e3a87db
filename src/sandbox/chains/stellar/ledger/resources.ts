import type { xdr } from '@stellar/stellar-sdk'
import { firstLiveUntil, isTemporary } from '../entries/contractData.ts'
import { entrySize, isOnDisk } from '../entries/ledgerEntry.ts'
import { readLedgerEntry } from '../entries/readLedgerEntry.ts'
import type { LedgerState } from '../entries/state.ts'
import type { HostResult } from '../host/runHostFunction.ts'

/** What one call may take at most (developers.stellar.org, Resource Limits & Fees). */
export const callLimits = {
  instructions: 100_000_000,
  footprintEntries: 100,
  diskReadEntries: 100,
  diskReadBytes: 200_000,
  writeEntries: 50,
  writeBytes: 132_096,
  transactionBytes: 132_096,
  eventBytes: 16_384,
}

/** Stroops (the same page; `fees.rs` of Stellar's rs-soroban-env). Rent is at the network's floor, which moves with its size. */
const rates = {
  per10000Instructions: 25n,
  diskReadEntry: 6_250n,
  writeEntry: 10_000n,
  diskReadKb: 1_786n,
  writeKb: 3_500n,
  transactionKb: 1_624n,
  historyKb: 16_235n,
  eventKb: 10_000n,
  rentKb: 1_000n,
}
const rentPeriods = { persistent: 1_402n, temporary: 2_804n }
const resultBytes = 300
const ttlEntryBytes = 48

/** The part of the fee that is gone once a transaction is applied: for what it declared and for its own size. */
export function nonRefundableFee(resources: xdr.SorobanResources, transactionBytes: number): bigint {
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

/** The bytes that a call publishes: its events and its value. */
export function eventBytes({ events, returnValue }: HostResult): number {
  return [...events, returnValue].reduce((sum, part) => sum + part.toXDR().length, 0)
}

/** What is paid for the events of a call; what it was less than declared is given back. */
export function eventFee(bytes: number): bigint {
  return perKb(bytes, rates.eventKb)
}

/** Rent for entries that are new, larger, or live longer than before. */
export function rentFee(
  keys: readonly xdr.LedgerKey[],
  { before, after, sequence }: { before: LedgerState; after: LedgerState; sequence: number },
): bigint {
  let fee = 0n
  let extended = 0
  for (const key of keys) {
    if (isOnDisk(key)) continue
    const name = key.toXDR('base64')
    const [oldSize, newSize] = [before, after].map((state) => sizeIn(state, key, sequence)) as [
      number,
      number,
    ] // two states
    const newUntil = after.liveUntil.get(name) ?? firstLiveUntil(key, sequence)
    const paidUntil = oldSize === 0 ? sequence - 1 : (before.liveUntil.get(name) ?? sequence - 1)
    if (newUntil > paidUntil) extended += 1
    const cost =
      rent(key, newSize, newUntil - paidUntil) + rent(key, newSize - oldSize, paidUntil - sequence + 1)
    // The network rents code for a third.
    fee += key.switch().name === 'contractCode' ? divideUp(cost, 3n) : cost
  }
  return fee + rates.writeEntry * BigInt(extended) + perKb(ttlEntryBytes * extended, rates.writeKb)
}

/** Bytes of the entries that a call reads from disk, used or not. */
export function diskReadBytes(keys: readonly xdr.LedgerKey[], state: LedgerState, sequence: number): number {
  return keys.filter(isOnDisk).reduce((sum, key) => sum + sizeIn(state, key, sequence), 0)
}

/** Bytes of the entries that a call may write, as they are after it. */
export function writeBytes(keys: readonly xdr.LedgerKey[], state: LedgerState, sequence: number): number {
  return keys.reduce((sum, key) => sum + sizeIn(state, key, sequence), 0)
}

/** Whether the declared resources are more than the network allows, or no footprint that there can be. */
export function areResourcesInvalid(resources: xdr.SorobanResources, transactionBytes: number): boolean {
  const { readOnly, readWrite } = keysOf(resources.footprint())
  const all = [...readOnly, ...readWrite]
  const isDoubled = new Set(all.map((key) => key.toXDR('base64'))).size !== all.length
  const isForeign = all.some((key) => !footprintKinds.includes(key.switch().name))
  return (
    isDoubled ||
    isForeign ||
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

/** The keys of a footprint. */
export function keysOf(footprint: xdr.LedgerFootprint): {
  readOnly: xdr.LedgerKey[]
  readWrite: xdr.LedgerKey[]
} {
  return { readOnly: footprint.readOnly(), readWrite: footprint.readWrite() }
}

function sizeIn(state: LedgerState, key: xdr.LedgerKey, sequence: number): number {
  return entrySize(readLedgerEntry({ state, sequence, instanceOf: () => undefined }, key))
}

function rent(key: xdr.LedgerKey, bytes: number, ledgers: number): bigint {
  if (bytes <= 0 || ledgers <= 0) return 0n
  const period = isTemporary(key) ? rentPeriods.temporary : rentPeriods.persistent
  return divideUp(BigInt(bytes) * rates.rentKb * BigInt(ledgers), 1024n * period)
}

function perKb(bytes: number, rate: bigint): bigint {
  return divideUp(BigInt(bytes) * rate, 1024n)
}

function divideUp(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by
}
