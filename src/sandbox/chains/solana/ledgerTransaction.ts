import type { ParsedTransaction } from '../../../redeemkit/solana/transaction/parseTransaction.ts'
import type { AccountState } from './accountStore.ts'

export type LedgerTransaction = {
  signature: string
  slot: number
  blockTime: number
  bytes: Uint8Array
  parsed: ParsedTransaction
  /** All accounts: first those in the message, then those from lookup tables, writable before readonly. */
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

export function isWritable(
  { parsed, loaded }: Pick<LedgerTransaction, 'parsed' | 'loaded'>,
  index: number,
): boolean {
  const { keys, signers, readonlySigners, readonlyOthers } = parsed
  if (index >= keys.length) return index < keys.length + loaded.writable.length
  return index < signers ? index < signers - readonlySigners : index < keys.length - readonlyOthers
}

export type RpcTransactionError =
  | string
  | { InstructionError: [index: number, error: string | { Custom: number }] }
  | { [name: string]: { account_index: number } }

/** Converts LiteSVM's error text to a node's JSON: `InstructionError(0, Custom(1))` → `{"InstructionError":[0,{"Custom":1}]}`. */
export function describeFailure(text: string): RpcTransactionError {
  const instruction = /err: InstructionError\((\d+), (\w+)(?:\((\d+)\))?/.exec(text)
  if (instruction !== null) {
    const [, index, name = '', custom] = instruction
    return {
      InstructionError: [Number(index), name === 'Custom' ? { Custom: Number(custom) } : name],
    }
  }
  const account = /err: (\w+) \{ account_index: (\d+)/.exec(text)
  if (account !== null) return { [account[1] ?? '']: { account_index: Number(account[2]) } }
  return /err: (\w+)/.exec(text)?.[1] ?? 'ClusterMaintenance'
}

export function failureText(err: RpcTransactionError): string {
  if (err === 'BlockhashNotFound') return 'Blockhash not found'
  if (err === 'AlreadyProcessed') return 'This transaction has already been processed'
  if (typeof err === 'string') return err.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
  if (Array.isArray(err.InstructionError)) {
    const [index, error] = err.InstructionError
    const what = typeof error === 'string' ? error : `custom program error: 0x${error.Custom.toString(16)}`
    return `Error processing Instruction ${index}: ${what}`
  }
  return `Transaction failed: ${JSON.stringify(err)}`
}
