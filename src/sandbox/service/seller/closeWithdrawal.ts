import { and, eq } from 'drizzle-orm'
import type { Hex } from 'viem'
import { amountPerCent } from '../../../redeemkit/core/amount/centsToAmount.ts'
import type { DatabaseWork } from '../../store/database.ts'
import { emitEvent } from '../../store/emitEvent.ts'
import { sellerWithdrawals } from '../../store/tables/index.ts'

/** Writes down what became of a pending withdrawal and tells its merchant: `withdrawal.completed` or `withdrawal.failed`. */
export async function closeWithdrawal(work: DatabaseWork, options: closeWithdrawal.Options): Promise<void> {
  const { withdrawalId, outcome, at } = options
  const [row] = await work
    .update(sellerWithdrawals)
    .set({ ...outcome, updatedAt: at })
    .where(and(eq(sellerWithdrawals.withdrawalId, withdrawalId), eq(sellerWithdrawals.status, 'pending')))
    .returning()
  if (row === undefined) return
  await emitEvent(work, withdrawalEvent(row, at))
}

export declare namespace closeWithdrawal {
  type Options = {
    withdrawalId: string
    outcome: { status: 'completed'; hash: Hex } | { status: 'failed'; error: string }
    /** By the service's clock. */
    at: Date
  }
}

const eventTypes = {
  pending: 'withdrawal.pending',
  completed: 'withdrawal.completed',
  failed: 'withdrawal.failed',
} as const

/** What a merchant is told of a withdrawal of its own (PROTOCOL.md 10.4). */
export function withdrawalEvent(row: typeof sellerWithdrawals.$inferSelect, at: Date): emitEvent.Event {
  const { withdrawalId, merchantId, blockchain, destination, amount, status, hash, error } = row
  return {
    merchantId,
    type: eventTypes[status],
    at,
    data: {
      withdrawalId,
      blockchain,
      destination,
      amount: { cents: Number(amount / amountPerCent) },
      ...(hash !== null && { transaction: hash }),
      ...(error !== null && { error }),
    },
  }
}
