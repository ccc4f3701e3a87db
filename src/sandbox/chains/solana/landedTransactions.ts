import type { ParsedTransaction } from '../../../redeemkit/solana/transaction/parseTransaction.ts'
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

/** Whether the transaction may change this one of its accounts. */
export function isWritable(
  { parsed, loaded }: Pick<LandedTransaction, 'parsed' | 'loaded'>,
  index: number,
): boolean {
  const { keys, signers, readonlySigners, readonlyOthers } = parsed
  if (index >= keys.length) return index < keys.length + loaded.writable.length
  return index < signers ? index < signers - readonlySigners : index < keys.length - readonlyOthers
}
