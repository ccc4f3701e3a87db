import { eq } from 'drizzle-orm'
import type { Database, DatabaseWork } from '../../store/database.ts'
import { payments } from '../../store/tables/index.ts'
import type { PaymentRow } from '../payments/paymentRow.ts'
import { PaymentNotSettledError } from './errors.ts'

/** A payment that is due. */
export type Settling = { database: Database; payment: PaymentRow; creditSeed: string }

/** A payment that is still due, its row locked. */
export async function lockDue(work: DatabaseWork, paymentId: string): Promise<PaymentRow | undefined> {
  const [row] = await work.select().from(payments).where(eq(payments.paymentId, paymentId)).for('update')
  return row?.status === 'authorized' && !row.authOnly ? row : undefined
}

/** Changes a payment unless another process was faster. */
export async function whileAuthorized(
  database: Database,
  paymentId: string,
  change: (work: DatabaseWork) => Promise<unknown>,
): Promise<void> {
  await database.transaction(async (work) => {
    if ((await lockDue(work, paymentId)) !== undefined) await change(work)
  })
}

/** @throws {@link PaymentNotSettledError} for a payment whose transactions were reverted too often */
export function checkAttempts(attempts: number): void {
  if (attempts >= maxAttempts)
    throw new PaymentNotSettledError(`Its transaction was reverted ${attempts} times.`)
}

const maxAttempts = 5
