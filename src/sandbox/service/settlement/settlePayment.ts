import { eq } from 'drizzle-orm'
import type { DatabaseWork } from '../../store/database.ts'
import { emitEvent } from '../../store/emitEvent.ts'
import { merchants } from '../../store/tables/index.ts'
import { paymentEvent } from '../payments/paymentEvent.ts'
import type { PaymentRow } from '../payments/paymentRow.ts'
import type { Service } from '../service.ts'
import { closePayment } from './closePayment.ts'
import { outcomeOf, paysUsdc } from './outcomeOf.ts'

/**
 * Settles an authorized payment (PROTOCOL.md 10.2) whose money stays in the merchant's wallet at the service. One that does
 * something on a chain stays `authorized`, which is how it is due: `settleDue` does it. A merchant that asks for it is told
 * beforehand (PROTOCOL.md 10.4).
 *
 * @returns the payment as it is afterwards
 */
export async function settlePayment(
  service: Pick<Service, 'now'>,
  work: DatabaseWork,
  payment: PaymentRow,
): Promise<PaymentRow> {
  if (payment.status !== 'authorized' || payment.authOnly) return payment
  const at = new Date(service.now())
  await tellBefore(work, payment, at)
  const { kind, amount } = outcomeOf(payment)
  const onChain = kind !== 'wallet' || paysUsdc(payment)
  if (onChain && amount > 0n) return payment
  return closePayment(work, { payment, at })
}

async function tellBefore(work: DatabaseWork, payment: PaymentRow, at: Date): Promise<void> {
  const [merchant] = await work
    .select({ settings: merchants.settings })
    .from(merchants)
    .where(eq(merchants.merchantId, payment.merchantId))
  if (merchant?.settings.sendPresettleWebhooks === true)
    await emitEvent(work, paymentEvent(payment, 'presettle', at))
}
