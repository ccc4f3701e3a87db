import type { CardCheckoutBody } from '../../../../redeemkit/schema/checkout.ts'

/** What a checkout buys and at what price, of which a purchase that is paid once may change nothing (PROTOCOL.md 10.8). */
export function boughtBy(body: Omit<CardCheckoutBody, 'card'>) {
  const { subtotal, customPayInFees, feePercentage, fixedFee, rent } = body
  const { transactionData, stellarTransaction, settlementType, authOnly } = body
  const price = { subtotal, customPayInFees, feePercentage, fixedFee, rent }
  return { ...price, transactionData, stellarTransaction, settlementType, authOnly }
}
