import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import type { CustomerInfo } from '../../../redeemkit/schema/customerInfo.ts'
import type { Payment } from '../../../redeemkit/schema/payment.ts'
import type { Currency } from '../../../redeemkit/schema/subtotal.ts'
import type { Totals } from '../../../redeemkit/schema/totals.ts'
import type { DatabaseWork } from '../../store/database.ts'
import type { PaymentLine, PaymentLineKind } from '../../store/states.ts'
import { type cardsOnFile, type cardTokens, payments, type subscriptions } from '../../store/tables/index.ts'
import type { CheckoutCustomer } from '../http/checkoutCustomer.ts'
import { problem, type ServiceProblem } from '../http/problem.ts'

export type PaymentRow = typeof payments.$inferSelect

/** Returns the totals record for a payment's lines (PROTOCOL.md 11.21). */
export function totalsRecord(lines: readonly PaymentLine[], currency: Currency): Totals {
  const line = (cents: number) => ({ cents, currency })
  const sum = (kind?: PaymentLineKind) =>
    line(lines.reduce((cents, one) => cents + (kind === undefined || one.kind === kind ? one.cents : 0), 0))
  const optional = optionalLines.filter((kind) => lines.some((one) => one.kind === kind))
  return {
    subtotal: sum('subtotal'),
    creditCardFees: sum('creditCardFees'),
    chargebackProtectionFees: line(0),
    gasFees: sum('gasFees'),
    ...Object.fromEntries(optional.map((kind) => [kind, sum(kind)])),
    total: sum(),
    lines: lines.flatMap(({ kind, label, cents }) =>
      kind === 'subtotal' ? [] : [{ label: label === '' ? 'Fee' : label, cents }],
    ),
  }
}

const optionalLines = ['networkFees', 'payInFees', 'marketplaceFees', 'rent'] as const

export function wrongState(
  { paymentId, status }: Pick<PaymentRow, 'paymentId' | 'status'>,
  message: string,
): ServiceProblem {
  return problem('PAYMENT_STATE', message, { details: { paymentId, status } })
}

export async function findPayment(
  work: DatabaseWork,
  { merchantId, paymentId }: { merchantId: string; paymentId: string },
): Promise<PaymentRow> {
  const [row] = await work
    .select()
    .from(payments)
    .where(and(eq(payments.paymentId, paymentId), eq(payments.merchantId, merchantId)))
    .for('update')
  if (row === undefined) throw problem('NOT_FOUND', 'The payment does not exist.')
  return row
}

/**
 * Selects by user id if the session key has one; otherwise by wallet, and only rows without a user id: next to a user id, the wallet is
 * a delivery address, not an identity.
 */
export function ofCustomer(
  table: typeof payments | typeof cardsOnFile | typeof cardTokens | typeof subscriptions,
  customer: Pick<CheckoutCustomer, 'merchant' | 'userId' | 'wallet' | 'blockchain'>,
): SQL {
  const { merchant, userId, wallet, blockchain } = customer
  const isTheirs =
    userId !== undefined
      ? eq(table.userId, userId)
      : wallet !== undefined && blockchain !== undefined
        ? and(isNull(table.userId), eq(table.wallet, wallet), eq(table.blockchain, blockchain))
        : undefined
  // A session key has a user id, a wallet, or both.
  return and(eq(table.merchantId, merchant.merchantId), isTheirs ?? sql`false`) ?? sql`false`
}

/** Returns the payment record of a row, without its history (PROTOCOL.md 11.11). */
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
    ...(row.deviceId !== null && { deviceId: row.deviceId }),
    subtotal: { cents: subtotalCents, currency },
    totals: totalsRecord(row.lines, chargedCurrency),
    ...(refundedCents > 0 && { refunded: { cents: refundedCents, currency: chargedCurrency } }),
    ...(carried.settlementType !== undefined && { settlementType: carried.settlementType }),
    ...(row.authOnly && { authOnly: true }),
    ...(row.email !== null && { email: row.email }),
    // The value has passed this schema in the checkout's body.
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
