import { and, eq } from 'drizzle-orm'
import type { TransactionReceipt } from 'viem'
import { executionOf } from '../contracts/bridgeAdapter.ts'
import type { DatabaseWork, JournalRow } from '../store/database.ts'
import type { Reference } from '../store/reference.ts'
import { bridgeMessages } from '../store/tables/index.ts'

/** Writes down what became of a message on the destination chain. */
export async function finishBridge(
  work: DatabaseWork,
  options: {
    row: JournalRow
    reference: Extract<Reference, { kind: 'bridge' }>
    receipt: TransactionReceipt | undefined
  },
): Promise<void> {
  const { row, receipt } = options
  const { sourceChainId, messageId } = options.reference
  const status = receipt?.status === 'success' ? executionOf(receipt, messageId) : undefined
  // Not executed: the message stays pending, and is carried again.
  if (status === undefined) return
  await work
    .update(bridgeMessages)
    .set({ status, hash: row.hash })
    .where(and(eq(bridgeMessages.sourceChainId, sourceChainId), eq(bridgeMessages.messageId, messageId)))
}
