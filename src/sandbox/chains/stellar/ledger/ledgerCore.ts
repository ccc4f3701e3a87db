import type { Asset, xdr } from '@stellar/stellar-sdk'
import type { Clock } from '../../../../core/time/clock.ts'
import { copyState, type LedgerState } from '../entries/state.ts'
import type { Contract } from '../host/contract.ts'
import type { createHost } from '../host/createHost.ts'

/** A transaction that was applied, successfully or not. */
export type AppliedTransaction = {
  hash: string
  isSuccessful: boolean
  ledger: number
  closedAt: number
  isFeeBump: boolean
  envelopeXdr: string
  resultXdr: string
  resultMetaXdr: string
  events: readonly xdr.ContractEvent[]
}

/** The ledger as its parts share it. */
export type LedgerCore = {
  readonly networkPassphrase: string
  readonly usdc: Asset
  readonly now: Clock
  readonly contracts: Map<string, Contract>
  readonly transactions: Map<string, AppliedTransaction>
  state: LedgerState
  sequence: number
  /** Unix seconds. */
  closedAt: number
  /** The last nonce that a simulation gave out. */
  nonce: bigint
}

/** Closes ledgers, at the time of the clock. */
export function closeLedgers(core: LedgerCore, count: number): void {
  core.sequence += count
  core.closedAt = nextCloseTime(core)
}

/** When the next ledger would close, in unix seconds: time never runs back. */
export function nextCloseTime({ closedAt, now }: LedgerCore): number {
  return Math.max(closedAt, Math.floor(now() / 1000))
}

/** What the host needs to run on the ledger, with a state of its own that can be dropped. */
export function hostOptions({
  state,
  contracts,
  usdc,
  networkPassphrase,
}: LedgerCore): Omit<createHost.Options, 'authorizer' | 'ledger'> {
  return { state: copyState(state), contracts, usdc, networkPassphrase }
}

/** The least fee for the entries that a call touches, in stroops. Invented. */
export function resourceFee(footprint: xdr.LedgerFootprint): bigint {
  return 30_000n + 2_000n * BigInt(footprint.readOnly().length + footprint.readWrite().length)
}
