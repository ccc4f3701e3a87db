import { convertCents } from '../checkout/totals/convertCents.ts'
import type { createPayment } from '../payments/createPayment.ts'
import type { SubscriptionRow } from './subscriptionRow.ts'

/** The payment of one period, ready to be charged: the plan's amount without fees, and what the plan carries. */
export function subscriptionPayment(terms: SubscriptionTerms, at: Date): createPayment.New {
  const { cents, currency } = terms
  const usdCents = convertCents(BigInt(cents), { from: currency, to: 'USD', round: 'down', field: 'amount' })
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
    totalCents: cents,
    chargedCents: cents,
    lines: [{ kind: 'subtotal', label: terms.planName, cents }],
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
  | 'planName'
  | 'email'
  | 'customerInfo'
  | 'webhookInfo'
>
