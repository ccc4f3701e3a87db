import type { PaymentStatus } from '../../../schema/payment.ts'
import type { emitEvent } from '../webhooks/emitEvent.ts'
import type { PaymentRow } from './paymentRow.ts'

/** What a merchant is told of a payment: its move (PROTOCOL.md 10.4), a refund, an answer to a dispute. */
export function paymentEvent(
  row: PaymentRow,
  about: {
    type: PaymentStatus | 'refunded' | 'responded'
    at: Date
    reason?: string | undefined
    more?: Record<string, unknown> | undefined
  },
): emitEvent.Event {
  const { merchantId, paymentId, status, rail, userId, wallet, blockchain } = row
  return {
    merchantId,
    type: `payment.${about.type}`,
    at: about.at,
    data: {
      paymentId,
      status,
      rail,
      subtotal: { cents: row.subtotalCents, currency: row.currency },
      total: { cents: row.totalCents, currency: row.currency },
      ...(userId !== null && { userId }),
      ...(wallet !== null && { wallet, blockchain }),
      ...(row.subscriptionId !== null && { subscriptionId: row.subscriptionId }),
      ...(row.hash !== null && { hash: row.hash }),
      ...(about.reason !== undefined && { reason: about.reason }),
      ...(row.webhookInfo !== null && { webhookInfo: row.webhookInfo }),
      ...about.more,
    },
  }
}
