import { BaseError } from '../../core/errors/baseError.ts'

/** What this room asks of a node: the smallest part of a web3.js `Connection`. Each function names the part it needs. */
export type Connection = {
  getGenesisHash(): Promise<string>
  getLatestBlockhash(commitment?: 'confirmed'): Promise<{ blockhash: string; lastValidBlockHeight: number }>
  getBlockHeight(commitment?: 'confirmed'): Promise<number>
  getAccountInfo(
    // web3.js names its own class here; only its `toBase58` is ever called.
    publicKey: never,
    commitment?: 'confirmed',
  ): Promise<{ owner: { toBase58(): string }; data: Uint8Array } | null>
  sendRawTransaction(bytes: Uint8Array, options?: { preflightCommitment: 'confirmed' }): Promise<string>
  getSignatureStatuses(
    signatures: string[],
    options?: { searchTransactionHistory: boolean },
  ): Promise<{
    value: readonly ({ slot: number; err: unknown; confirmationStatus?: string | undefined } | null)[]
  }>
}

/** A transaction that can no longer land: its blockhash is too old, and it is not on the chain. */
export class BlockhashExpiredError extends BaseError {
  override readonly name = 'BlockhashExpiredError'
}

/** A transaction that the chain refused, before or after it landed. */
export class TransactionFailedError extends BaseError {
  override readonly name = 'TransactionFailedError'
}
