import { and, asc, eq, gte } from 'drizzle-orm'
import type { PurchaseSubscriptionBody } from '../../../redeemkit/schema/subscription.ts'
import type { DatabaseWork } from '../../store/database.ts'
import type { PaymentLine } from '../../store/paymentLine.ts'
import { payments } from '../../store/tables/index.ts'
import { feeLines } from '../checkout/totals/feeLines.ts'
import { problem } from '../http/problem.ts'
import type { PlanRow, SubscriptionRow } from './subscriptionRow.ts'

/**
 * What each period costs: the plan's amount and the fees of the purchase, as a checkout counts them (PROTOCOL.md 10.2).
 *
 * @throws ServiceProblem `INVALID_REQUEST` for a fee that is no amount, and a total above 2^53 - 1
 */
export function periodLines(
  { name, cents, currency }: Pick<PlanRow, 'name' | 'cents' | 'currency'>,
  body: Pick<PurchaseSubscriptionBody, 'feePercentage' | 'fixedFee'>,
): PaymentLine[] {
  const fees = feeLines(body, { cents: BigInt(cents), currency })
  const total = fees.reduce((sum, line) => sum + line.cents, BigInt(cents))
  if (total > BigInt(Number.MAX_SAFE_INTEGER))
    throw problem('INVALID_REQUEST', 'The total is above 2^53 - 1 cents.', {
      issues: [body.fixedFee === undefined ? 'feePercentage' : 'fixedFee'],
    })
  return [
    { kind: 'subtotal', label: name, cents },
    ...fees.map((line) => ({ ...line, cents: Number(line.cents) })),
  ]
}

/** The same, as the payment of the purchase has it: the first one of the subscription. */
export async function linesOfPurchase(
  work: Pick<DatabaseWork, 'select'>,
  { subscriptionId, merchantId, createdAt }: SubscriptionRow,
): Promise<readonly PaymentLine[]> {
  const [first] = await work
    .select({ lines: payments.lines })
    .from(payments)
    .where(
      and(
        eq(payments.subscriptionId, subscriptionId),
        // For the index: it was made in the moment of the purchase.
        eq(payments.merchantId, merchantId),
        gte(payments.createdAt, createdAt),
      ),
    )
    .orderBy(asc(payments.createdAt))
    .limit(1)
  if (first === undefined) throw new Error(`Subscription ${subscriptionId} has no payment.`)
  return first.lines
}
