import { and, eq } from 'drizzle-orm'
import type { TransactionReceipt } from 'viem'
import type { DatabaseWork, JournalRow } from '../store/database.ts'
import type { Reference } from '../store/reference.ts'
import { redeems } from '../store/tables/index.ts'
import { noteBridgeMessages } from './noteBridgeMessages.ts'

/** Writes down what became of a redeem's transaction, and the bridge message that it sent. */
export async function finishRedeem(
  work: DatabaseWork,
  options: {
    row: JournalRow
    reference: Extract<Reference, { kind: 'redeem' }>
    receipt: TransactionReceipt | undefined
    now: () => number
  },
): Promise<void> {
  const { row, receipt, now } = options
  const { blockchain, wallet, nonce } = options.reference
  const at = new Date(now())
  const [redeem] = await work
    .update(redeems)
    .set({ status: row.status === 'mined' ? 'redeemed' : 'reverted', updatedAt: at })
    .where(
      and(
        eq(redeems.blockchain, blockchain),
        eq(redeems.wallet, wallet),
        eq(redeems.nonce, nonce),
        eq(redeems.hash, row.hash),
      ),
    )
    .returning()
  // In the other shapes strangers' code runs, and may say that it was a bridge. In a decent one only the adapter's does.
  if (receipt?.status !== 'success' || redeem?.shape !== 'decent') return
  await noteBridgeMessages(work, { sourceChainId: row.chainId, wallet, nonce, logs: receipt.logs, at })
}
