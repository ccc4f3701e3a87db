import { readTransaction } from '../../../../solana/transaction/readTransaction.ts'
import type { UsdcTransfer } from '../../../../solana/usdcTransfer/usdcTransfer.ts'

/** Whether a transaction is the one that was prepared, signatures aside. */
export function isPreparedTransaction(transaction: string, prepared: UsdcTransfer): boolean {
  const [given, built] = [readTransaction(transaction), readTransaction(prepared.transaction)]
  return Buffer.from(given.message).equals(built.message)
}
