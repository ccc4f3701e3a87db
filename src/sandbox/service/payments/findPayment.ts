import { and, eq } from 'drizzle-orm'
import type { DatabaseWork } from '../../store/database.ts'
import { payments } from '../../store/tables/index.ts'
import { problem } from '../http/problem.ts'
import { isStorableText } from '../http/storableText.ts'
import type { PaymentRow } from './paymentRow.ts'

/**
 * A payment of this merchant, its row locked until the work ends.
 *
 * @throws ServiceProblem, 404: another merchant's payment is none
 */
export async function findPayment(
  work: DatabaseWork,
  wanted: { merchantId: string; paymentId: string },
): Promise<PaymentRow> {
  const { merchantId, paymentId } = wanted
  const [row] = isStorableText(paymentId)
    ? await work
        .select()
        .from(payments)
        .where(and(eq(payments.paymentId, paymentId), eq(payments.merchantId, merchantId)))
        .for('update')
    : []
  if (row === undefined) throw problem('NOT_FOUND', 'There is no such payment.')
  return row
}
