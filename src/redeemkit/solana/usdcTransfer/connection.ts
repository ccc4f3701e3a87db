/**
 * What these functions ask of a node: the smallest part of a web3.js `Connection`. Each function names the
 * part it needs.
 */
export type Connection = {
  getGenesisHash(): Promise<string>
  getLatestBlockhash(commitment?: 'confirmed'): Promise<{ blockhash: string; lastValidBlockHeight: number }>
  /** The height of a block and its slot, by one and the same answer. */
  getEpochInfo(commitment?: 'finalized'): Promise<{ absoluteSlot: number; blockHeight?: number | undefined }>
  /** Lamports that an account of so many bytes must hold. */
  getMinimumBalanceForRentExemption(length: number): Promise<number>
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
    /** The slot for which the node answers. */
    context: { slot: number }
    value: readonly ({ slot: number; err: unknown; confirmationStatus?: string | undefined } | null)[]
  }>
}
