import type { Asset, FeeBumpTransaction, Transaction, xdr } from '@stellar/stellar-sdk'
import type { Clock } from '../../../../redeemkit/core/clock.ts'
import type { Contract } from './contract.ts'
import type { runHostFunction } from './runHostFunction.ts'
import { copyState, type LedgerState } from './state.ts'

export type AppliedTransaction = {
  hash: string
  isSuccessful: boolean
  ledger: number
  closedAt: number
  /** The transaction's position in its ledger, starting at 1. */
  order: number
  isFeeBump: boolean
  envelopeXdr: string
  resultXdr: string
  resultMetaXdr: string
  events: readonly xdr.ContractEvent[]
}

export type PendingTransaction = {
  hash: string
  transaction: Transaction
  bump: FeeBumpTransaction | undefined
  source: string
  payer: string
  /** The maximum fee, in stroops. */
  fee: bigint
}

export type LedgerCore = {
  readonly networkPassphrase: string
  readonly usdc: Asset
  readonly now: Clock
  /** Delay between a submission and the close of its ledger, in milliseconds. 0 closes it immediately. */
  readonly applyAfterMs: number
  readonly contracts: Map<string, Contract>
  readonly transactions: Map<string, AppliedTransaction>
  readonly pending: PendingTransaction[]
  readonly waiting: Set<() => void>
  timer: ReturnType<typeof setTimeout> | undefined
  state: LedgerState
  sequence: number
  /** Close time of the latest ledger, in unix seconds. */
  closedAt: number
  nonce: bigint
}

export function nextCloseTime({ closedAt, now }: LedgerCore): number {
  return Math.max(closedAt, Math.floor(now() / 1000))
}

/** Contains a copy of the state, which is discarded on failure. */
export function hostOptions({
  state,
  contracts,
  usdc,
  networkPassphrase,
}: LedgerCore): Omit<runHostFunction.Options, 'authorizer' | 'ledger' | 'call'> {
  return { state: copyState(state), contracts, usdc, networkPassphrase }
}
