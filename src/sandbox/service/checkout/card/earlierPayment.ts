import { and, desc, eq, sql } from 'drizzle-orm'
import type { DatabaseWork } from '../../../store/database.ts'
import { cardChallenges, payments } from '../../../store/tables/index.ts'
import type { CheckoutCustomer } from '../../http/checkoutCustomer.ts'
import { problem } from '../../http/problem.ts'
import { ofCustomer } from '../../payments/ofCustomer.ts'
import type { PaymentRow } from '../../payments/paymentRow.ts'

/** A customer's order, which is paid once by card (PROTOCOL.md 10.8). */
export type OncePurchase = { customer: CheckoutCustomer; purchaseId: string }

/**
 * What was made of a purchase before, whoever sent it: in another tab, before a reload, or a moment ago. Until the work ends no
 * other one looks, so that no two payments are made of it.
 *
 * @param options.cardToken the card form's token that is to pay now: sent again after its answer was lost, it answers what it did
 * @returns the payment that has its money, or the one of this very token with its challenge; undefined when none is in the way
 * @throws ServiceProblem `AMBIGUOUS_INTENT` when another thing was bought under this id
 */
export async function earlierPayment(
  work: DatabaseWork,
  options: OncePurchase & { cardToken?: string | undefined; purchaseHash: string },
): Promise<{ payment: PaymentRow; transactionId?: string } | undefined> {
  const { customer, purchaseId, cardToken, purchaseHash } = options
  const key = JSON.stringify(['card form', customer.merchant.merchantId, purchaseId])
  await work.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
  const made = await paymentsOf(work, options)
  const paid = made.find(isPaid)
  if (paid !== undefined) {
    checkSamePurchase(paid, purchaseHash)
    return { payment: paid }
  }
  const own = made.find((payment) => payment.cardToken === cardToken)
  if (own === undefined) return undefined
  const [challenge] = await work
    .select({ transactionId: cardChallenges.transactionId })
    .from(cardChallenges)
    .where(eq(cardChallenges.paymentId, own.paymentId))
  return { payment: own, ...challenge }
}

/**
 * What is paid under an id is what was to be bought under it, at its price.
 *
 * @throws ServiceProblem `AMBIGUOUS_INTENT`
 */
export function checkSamePurchase(paid: PaymentRow, purchaseHash: string): void {
  if (paid.purchaseHash === purchaseHash) return
  throw problem('AMBIGUOUS_INTENT', 'Something else was bought under this purchase id.', {
    details: { paymentId: paid.paymentId, status: paid.status },
  })
}

/** All that were made of a purchase, the newest first. */
export function paymentsOf(
  work: DatabaseWork,
  { customer, purchaseId }: OncePurchase,
): Promise<PaymentRow[]> {
  return work
    .select()
    .from(payments)
    .where(and(eq(payments.purchaseId, purchaseId), ofCustomer(payments, customer)))
    .orderBy(desc(payments.createdAt), desc(payments.paymentId))
}

/** Whether a payment has its money, or is about to. One that was voided, failed or expired leaves the purchase unpaid. */
export function isPaid({ status }: Pick<PaymentRow, 'status'>): boolean {
  return !['created', 'failed', 'expired', 'voided'].includes(status)
}
