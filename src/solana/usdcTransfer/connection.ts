/**
 * What these functions ask of a node: the smallest part of a web3.js `Connection`. Each function names the
 * part it needs.
 */
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
