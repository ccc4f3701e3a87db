import type { Currency } from '../../../../redeemkit/schema/currency.ts'
import type { CustomPayInFee } from '../../../../redeemkit/schema/totals.ts'
import type { PaymentLineKind } from '../../../store/paymentLine.ts'
import { problem } from '../../http/problem.ts'
import { convertCents, divide } from './convertCents.ts'
import { exactDecimal } from './exactDecimal.ts'

/** A line of a total, in cents of the currency that is charged. */
export type TotalLine = { kind: PaymentLineKind; label: string; cents: bigint }

/**
 * The lines that a body itself asks for: its own fees, the marketplace's percentage, the fixed fee. Each is exact, and then
 * rounded up to a whole cent by itself (PROTOCOL.md 10.2).
 */
export function feeLines(
  body: {
    customPayInFees?: readonly CustomPayInFee[] | undefined
    feePercentage?: number | undefined
    fixedFee?: { cents: number } | undefined
  },
  subtotal: { cents: bigint; currency: Currency },
): TotalLine[] {
  const { customPayInFees = [], feePercentage, fixedFee } = body
  const lines: TotalLine[] = customPayInFees.map((fee, index) => ({
    kind: 'payInFees',
    label: fee.lineItemLabel,
    cents: customFee(fee.fee, subtotal, `customPayInFees.${index}.fee`),
  }))
  if (feePercentage !== undefined)
    lines.push({
      kind: 'marketplaceFees',
      label: 'Marketplace fee',
      cents: percentOf(subtotal.cents, feePercentage, 'feePercentage'),
    })
  if (fixedFee !== undefined)
    lines.push({ kind: 'marketplaceFees', label: 'Fixed fee', cents: BigInt(fixedFee.cents) })
  return lines
}

/**
 * Amount and percentage add up, where both are there; `isFixed` says that only one of them counts: true the amount, false the
 * percentage.
 */
function customFee(
  fee: CustomPayInFee['fee'],
  subtotal: { cents: bigint; currency: Currency },
  field: string,
): bigint {
  const fixed = fee.isFixed === false ? undefined : (fee.cents ?? undefined)
  const percent = fee.isFixed === true ? undefined : (fee.percent ?? undefined)
  if (fixed === undefined && percent === undefined)
    throw problem(
      'INVALID_REQUEST',
      fee.isFixed === true ? 'A fixed fee needs its cents.' : 'A fee that is not fixed needs its percent.',
      { issues: [fee.isFixed === true ? `${field}.cents` : `${field}.percent`] },
    )
  let cents = 0n
  if (fixed !== undefined) {
    const { digits, places } = exactFee(fixed, `${field}.cents`)
    const { currency } = subtotal
    const converted = convertCents(digits, {
      from: fee.currency ?? currency,
      to: currency,
      round: 'up',
      field: `${field}.currency`,
    })
    // Rounded up twice by whole divisors is rounded up once.
    cents += divide(converted, 10n ** BigInt(places), 'up')
  }
  if (percent !== undefined) cents += percentOf(subtotal.cents, percent, `${field}.percent`)
  return cents
}

function percentOf(cents: bigint, percent: number, field: string): bigint {
  const { digits, places } = exactFee(percent, field)
  return divide(cents * digits, 100n * 10n ** BigInt(places), 'up')
}

function exactFee(value: number, field: string): { digits: bigint; places: number } {
  if (!(value >= 0) || value > maximumFee || (value > 0 && value < minimumFee))
    throw problem('INVALID_REQUEST', `A fee is 0, or from ${minimumFee} to 2^53 - 1.`, { issues: [field] })
  return exactDecimal(value)
}

const maximumFee = Number.MAX_SAFE_INTEGER
/** Below, a number is no fee but a slip of the pen, and takes hundreds of digits to be exact. */
const minimumFee = 1e-9
