import type { ParsedTransaction } from '../../../solana/transaction/parseTransaction.ts'
import type { AccountState } from './accountStore.ts'
import type { RpcTransactionError } from './describeFailure.ts'

/** A transaction that landed. */
export type LandedTransaction = {
  signature: string
  slot: number
  blockTime: number
  bytes: Uint8Array
  parsed: ParsedTransaction
  /** Every account: the message's own, then those of lookup tables, written before read. */
  accounts: string[]
  loaded: { writable: string[]; readonly: string[] }
  err: RpcTransactionError | null
  fee: number
  logs: string[]
  computeUnits: number
  inner: {
    index: number
    instructions: { programIdIndex: number; accounts: number[]; data: string; stackHeight: number }[]
  }[]
  before: AccountState[]
  after: AccountState[]
}

/** What has landed, and who waits for what. */
export function landedTransactions() {
  const landed = new Map<string, LandedTransaction>()
  const watchers = new Map<string, Set<(transaction: LandedTransaction) => void>>()
  return {
    landed,
    record: (transaction: LandedTransaction) => {
      landed.set(transaction.signature, transaction)
      for (const notify of watchers.get(transaction.signature) ?? []) notify(transaction)
      watchers.delete(transaction.signature)
    },
    /** Calls once, when the transaction lands; at once when it is there. Returns what ends the watch. */
    watch: (signature: string, notify: (transaction: LandedTransaction) => void): (() => void) => {
      const found = landed.get(signature)
      if (found !== undefined) {
        notify(found)
        return () => undefined
      }
      const waiting = watchers.get(signature) ?? new Set()
      watchers.set(signature, waiting.add(notify))
      return () => waiting.delete(notify)
    },
  }
}
