import type { TransactionReceipt } from 'viem'
import type { DatabaseWork, JournalRow } from '../store/database.ts'
import { finishBatch } from './finishBatch.ts'
import { finishBridge } from './finishBridge.ts'
import { finishRedeem } from './finishRedeem.ts'

/**
 * Writes down what became of that which a transaction was for, in the database transaction that closes the journal's row:
 * neither is without the other.
 */
export async function finishTransaction(
  work: DatabaseWork,
  options: { row: JournalRow; receipt: TransactionReceipt | undefined; now: () => number },
): Promise<void> {
  const { reference } = options.row
  switch (reference.kind) {
    case 'redeem':
      return finishRedeem(work, { ...options, reference })
    case 'batch':
      return finishBatch(work, { ...options, reference })
    case 'bridge':
      return finishBridge(work, { ...options, reference })
    case 'deploy':
    case 'whitelist':
    case 'gone':
      // Whoever sent it waits for it by itself.
      return
    case 'mint':
    case 'burn':
    case 'payment':
    case 'withdrawal':
      // The service's own records: `onFinal` of `createServiceRelayer`.
      return
    default:
      return reference satisfies never
  }
}
