import { and, eq } from 'drizzle-orm'
import type { DatabaseWork } from '../../../store/database.ts'
import { withdrawers } from '../../../store/tables/index.ts'

/** A withdrawer as the database has it. */
export type WithdrawerRow = typeof withdrawers.$inferSelect

/** The withdrawer of a merchant's user, held against others until the transaction ends; undefined without one. */
export async function findWithdrawer(
  work: DatabaseWork,
  { merchantId, userId }: { merchantId: string; userId: string },
): Promise<WithdrawerRow | undefined> {
  const [row] = await work
    .select()
    .from(withdrawers)
    .where(and(eq(withdrawers.merchantId, merchantId), eq(withdrawers.userId, userId)))
    .for('update')
  return row
}
