import type { Asset, FeeBumpTransaction, Transaction, xdr } from '@stellar/stellar-sdk'
import type { Clock } from '../../../../redeemkit/core/time/clock.ts'
import { copyState, type LedgerState } from '../entries/state.ts'
import type { Contract } from '../host/contract.ts'
import type { createHost } from '../host/createHost.ts'

/** A transaction that was applied, successfully or not. */
export type AppliedTransaction = {
  hash: string
  isSuccessful: boolean
  ledger: number
  closedAt: number
  /** Which of its ledger's transactions it is, from 1 on. */
  order: number
  isFeeBump: boolean
  isCall: boolean
  /** For each operation, in stroops: what was charged beside resources, and what was offered at most. */
  inclusionFee: { charged: bigint; offered: bigint }
  envelopeXdr: string
  resultXdr: string
  resultMetaXdr: string
  events: readonly xdr.ContractEvent[]
}

/** A transaction that waits for the next ledger. */
export type PendingTransaction = {
  hash: string
  transaction: Transaction
  bump: FeeBumpTransaction | undefined
  source: string
  payer: string
  /** What it may cost its payer, in stroops. */
  fee: bigint
}

/** The ledger as its parts share it. */
export type LedgerCore = {
  readonly networkPassphrase: string
  readonly usdc: Asset
  readonly now: Clock
  /** A ledger closes by itself after so many seconds of the clock. */
  readonly ledgerSeconds: number
  /** A ledger closes so long after a transaction was sent; with 0 at once. */
  readonly applyAfterMs: number
  readonly contracts: Map<string, Contract>
  readonly transactions: Map<string, AppliedTransaction>
  readonly pending: PendingTransaction[]
  /** The last ledger that changed an entry, by base64 XDR of its key. */
  readonly modified: Map<string, number>
  /** Called when a ledger closes. */
  readonly waiting: Set<() => void>
  timer: ReturnType<typeof setTimeout> | undefined
  state: LedgerState
  sequence: number
  /** Unix seconds. */
  closedAt: number
  /** The last nonce that a simulation gave out. */
  nonce: bigint
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
