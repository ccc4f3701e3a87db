import { InsufficientFundsError } from '../errors.ts'
import type { PreparedRedeem } from '../preparedRedeem.ts'
import { usd } from './summarise.ts'

/** What the customer has, raw units; 1 USDC, and 1 USD of credits, is `1_000_000n`. `undefined`: nobody tells. */
export type Funds = { readonly credits: bigint | undefined; readonly usdc: bigint | undefined }

/**
 * Refuses a redeem that the customer cannot pay, before the wallet is asked.
 *
 * @param have what the chain says, or the service
 * @param have.within by how much it may be more: the service knows whole cents only
 * @throws {@link InsufficientFundsError} with `have` and `need`
 */
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
        `${prepared.wallet} has ${usd(amount)} ${name}, and ${usd(need)} is needed.`,
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
