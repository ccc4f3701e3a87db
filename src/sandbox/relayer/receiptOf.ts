import { type Hex, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem'
import type { RelayerChain } from './relayerChain.ts'

/** The receipt of a transaction; undefined while there is none. */
export async function receiptOf(chain: RelayerChain, hash: Hex): Promise<TransactionReceipt | undefined> {
  try {
    return await chain.client.getTransactionReceipt({ hash })
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined
    throw error
  }
}
