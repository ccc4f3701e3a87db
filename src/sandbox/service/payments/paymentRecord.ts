import type { CustomerInfo } from '../../../redeemkit/schema/customerInfo.ts'
import type { Payment } from '../../../redeemkit/schema/payment.ts'
import { totalsRecord } from '../checkout/totals/totalsRecord.ts'
import type { PaymentRow } from './paymentRow.ts'

/** The payment record of a row, without its history (PROTOCOL.md 11.11). */
export function paymentRecord(row: PaymentRow): Payment {
  const { subtotalCents, currency, chargedCurrency, refundedCents, carried } = row
  return {
    paymentId: row.paymentId,
    status: row.status,
    merchantId: row.merchantId,
    rail: row.rail,
    ...(row.userId !== null && { userId: row.userId }),
    ...(row.wallet !== null && { wallet: row.wallet }),
    ...(row.blockchain !== null && { blockchain: row.blockchain }),
    subtotal: { cents: subtotalCents, currency },
    totals: totalsRecord(row.lines, chargedCurrency),
    ...(refundedCents > 0 && { refunded: { cents: refundedCents, currency: chargedCurrency } }),
    ...(carried.settlementType !== undefined && { settlementType: carried.settlementType }),
    ...(row.authOnly && { authOnly: true }),
    ...(row.email !== null && { email: row.email }),
    // It was read by this schema when the checkout's body was.
    ...(row.customerInfo !== null && { customerInfo: row.customerInfo as CustomerInfo }),
    ...(row.webhookInfo !== null && { webhookInfo: row.webhookInfo }),
    ...(row.cardToken !== null && { card: { token: row.cardToken } }),
    ...(row.subscriptionId !== null && { subscriptionId: row.subscriptionId }),
    ...(row.hash !== null && { hash: row.hash }),
    ...(row.error !== null && { error: row.error }),
    ...(row.expiresAt !== null && { expiresAt: row.expiresAt.toISOString() }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
