import type { TransactionData } from './transactionData.ts'

/** The six shapes of `transactionData`, by the names that this package uses. */
export type TransactionDataKind = 'token' | 'normal' | 'safeMint' | 'returned' | 'knownTokenId' | 'decent'

/**
 * Which of the six shapes a (parsed) `transactionData` is.
 *
 * Source: PROTOCOL.md 6.2: `type` when present; else `nftContract` and `nftId` make a known token id; else
 * normal.
 *
 * @example
 * ```ts
 * import { transactionDataKind } from 'redeemkit/schema'
 * transactionDataKind({ type: 'token', destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' })
 * // 'token'
 * ```
 */
export function transactionDataKind(transactionData: TransactionData): TransactionDataKind {
  if (transactionData.type !== undefined) return transactionData.type
  return 'nftContract' in transactionData &&
    transactionData.nftContract !== undefined &&
    transactionData.nftId !== undefined
    ? 'knownTokenId'
    : 'normal'
}

export declare namespace transactionDataKind {
  type ErrorType = never
}
