import { and, eq, inArray } from 'drizzle-orm'
import type { TransactionReceipt } from 'viem'
import { redeemedIn } from '../contracts/creditsReads.ts'
import type { DatabaseWork, JournalRow } from '../store/database.ts'
import type { Reference } from '../store/reference.ts'
import { redeems } from '../store/tables/index.ts'

/** Writes down what became of each redeem of a batch. One that failed while the batch went through is sent again alone. */
export async function finishBatch(
  work: DatabaseWork,
  options: {
    row: JournalRow
    reference: Extract<Reference, { kind: 'batch' }>
    receipt: TransactionReceipt | undefined
    now: () => number
  },
): Promise<void> {
  const { row, reference, receipt, now } = options
  const { blockchain } = reference
  const ofBatch = and(
    eq(redeems.blockchain, blockchain),
    eq(redeems.status, 'sending'),
    eq(redeems.hash, row.hash),
  )
  const updatedAt = new Date(now())
  if (receipt?.status !== 'success') {
    await work.update(redeems).set({ status: 'reverted', updatedAt }).where(ofBatch)
    return
  }
  const done = redeemedIn(receipt)
  const all = await work.select().from(redeems).where(ofBatch)
  const nonces = all
    .filter(({ wallet, nonce }) => done.has(`${wallet}/${nonce}`.toLowerCase()))
    .map(({ nonce }) => nonce)
  if (nonces.length > 0)
    await work
      .update(redeems)
      .set({ status: 'redeemed', updatedAt })
      .where(and(ofBatch, inArray(redeems.nonce, nonces)))
  if (nonces.length < all.length)
    await work.update(redeems).set({ status: 'alone', updatedAt }).where(ofBatch)
}
