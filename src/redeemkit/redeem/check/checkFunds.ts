import { InsufficientFundsError } from '../errors.ts'
import type { PreparedRedeem } from '../preparedRedeem.ts'
import { usd } from './summarise.ts'

/** Funds of a customer in raw units: 1 USDC or 1 USD of credits is `1_000_000n`. `undefined` if unknown. */
export type Funds = { readonly credits: bigint | undefined; readonly usdc: bigint | undefined }

/** `within` is a tolerance in raw units, because the service reports whole cents. */
export function checkFunds(prepared: PreparedRedeem, have: Funds & { within?: bigint }): void {
  const { answer, usdcAmount, pinned } = prepared
  const rows = [
    ['credits', `credits of ${JSON.stringify(pinned.creditSeed)}`, BigInt(answer.creditsRawAmount)],
    ['usdc', 'USDC', BigInt(usdcAmount)],
  ] as const
  for (const [key, name, need] of rows) {
    const amount = have[key]
    if (amount !== undefined && amount + (have.within ?? 0n) < need)
      throw new InsufficientFundsError(
        `${prepared.wallet} has ${usd(amount)} ${name}, but needs ${usd(need)}.`,
        {
          asset: key,
          have: amount,
          need,
          field: key === 'usdc' ? 'usdcAmount' : 'subtotal',
          fix: `Get ${usd(need - amount)} more first, or pay less in ${key === 'usdc' ? 'USDC' : 'credits'}. Nothing was signed.`,
        },
      )
  }
}

export declare namespace checkFunds {
  type ErrorType = InsufficientFundsError
}
