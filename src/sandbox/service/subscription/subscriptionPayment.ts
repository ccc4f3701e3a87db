import type { PaymentLine } from '../../store/paymentLine.ts'
import { convertCents } from '../checkout/totals/convertCents.ts'
import type { createPayment } from '../payments/createPayment.ts'
import type { SubscriptionRow } from './subscriptionRow.ts'

/**
 * The payment of one period, ready to be charged: the plan's amount, the purchase's fees, and what the plan carries.
 *
 * @param options.lines what each period costs, as the purchase said
 */
export function subscriptionPayment(
  terms: SubscriptionTerms,
  { lines, at }: { lines: readonly PaymentLine[]; at: Date },
): createPayment.New {
  const { cents, currency } = terms
  const usdCents = convertCents(BigInt(cents), { from: currency, to: 'USD', round: 'down', field: 'amount' })
  const totalCents = lines.reduce((sum, line) => sum + line.cents, 0)
  return {
    merchantId: terms.merchantId,
    userId: terms.userId,
    wallet: terms.wallet,
    blockchain: terms.settlementChain ?? terms.blockchain,
    rail: 'card',
    subtotalCents: cents,
    currency,
    usdCents: Number(usdCents),
    chargedCurrency: currency,
    totalCents,
    chargedCents: totalCents,
    lines,
    carried: terms.carried,
    email: terms.email,
    customerInfo: terms.customerInfo,
    webhookInfo: terms.webhookInfo,
    subscriptionId: terms.subscriptionId,
    at,
  }
}

export type SubscriptionTerms = Pick<
  SubscriptionRow,
  | 'subscriptionId'
  | 'merchantId'
  | 'userId'
  | 'wallet'
  | 'blockchain'
  | 'settlementChain'
  | 'carried'
  | 'cents'
  | 'currency'
  | 'email'
  | 'customerInfo'
  | 'webhookInfo'
>
