import type { InspectionLine } from './inspection.ts'
import { dollarValue, line } from './values.ts'

/** The price of a purchase and how it is paid. Amounts are raw units of a 6-decimal dollar token. */
export function purchaseLines({
  amount,
  usdcAmount,
  fee,
}: {
  amount: bigint
  usdcAmount: bigint
  fee: bigint
}): InspectionLine[] {
  const credits = amount - usdcAmount
  return [
    line('price', dollarValue(amount)),
    ...(credits === 0n ? [] : [line('credits', dollarValue(credits))]),
    ...(usdcAmount === 0n ? [] : [line('usdc', dollarValue(usdcAmount))]),
    line('fee', dollarValue(fee)),
  ]
}
