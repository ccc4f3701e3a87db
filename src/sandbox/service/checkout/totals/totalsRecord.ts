import type { Currency } from '../../../../redeemkit/schema/currency.ts'
import type { Totals } from '../../../../redeemkit/schema/totals.ts'
import type { PaymentLine, PaymentLineKind } from '../../../store/paymentLine.ts'

/** The totals record of a payment's lines (PROTOCOL.md 11.21). This service charges nothing for the rail itself. */
export function totalsRecord(lines: readonly PaymentLine[], currency: Currency): Totals {
  const sum = (kind?: PaymentLineKind) =>
    lines.reduce((cents, line) => cents + (kind === undefined || line.kind === kind ? line.cents : 0), 0)
  const has = (kind: PaymentLineKind) => lines.some((line) => line.kind === kind)
  const line = (cents: number) => ({ cents, currency })
  return {
    subtotal: line(sum('subtotal')),
    creditCardFees: line(0),
    chargebackProtectionFees: line(0),
    gasFees: line(sum('gasFees')),
    ...(has('payInFees') && { payInFees: line(sum('payInFees')) }),
    ...(has('marketplaceFees') && { marketplaceFees: line(sum('marketplaceFees')) }),
    ...(has('rent') && { rent: line(sum('rent')) }),
    total: line(sum()),
    lines: lines.flatMap(({ kind, label, cents }) =>
      kind === 'subtotal' ? [] : [{ label: label === '' ? 'Fee' : label, cents }],
    ),
  }
}
