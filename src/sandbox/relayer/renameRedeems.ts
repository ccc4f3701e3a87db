import { and, eq } from 'drizzle-orm'
import type { Hex } from 'viem'
import type { DatabaseWork, JournalRow } from '../store/database.ts'
import { redeems } from '../store/tables/index.ts'

/** Gives the redeems that are on their way in a transaction its other hash: it was replaced, or what it replaced has landed. */
export async function renameRedeems(
  work: DatabaseWork,
  { row, to }: { row: JournalRow; to: Hex },
): Promise<void> {
  const { reference } = row
  if (reference.kind !== 'redeem' && reference.kind !== 'batch') return
  await work
    .update(redeems)
    .set({ hash: to })
    .where(
      and(
        eq(redeems.blockchain, reference.blockchain),
        eq(redeems.status, 'sending'),
        eq(redeems.hash, row.hash),
      ),
    )
}
