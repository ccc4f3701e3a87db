import type { PaymentStatus } from '../../../redeemkit/schema/payment.ts'
import type { emitEvent } from '../../store/emitEvent.ts'
import { paymentRecord } from './paymentRecord.ts'
import type { PaymentRow } from './paymentRow.ts'

/** What a merchant is told of a payment: the record as it is after a move, before its settlement, or after a refund (PROTOCOL.md 10.4). */
export function paymentEvent(
  row: PaymentRow,
  about: PaymentStatus | 'presettle' | 'refunded',
  at: Date,
): emitEvent.Event {
  return { merchantId: row.merchantId, type: `payment.${about}`, at, data: paymentRecord(row) }
}
