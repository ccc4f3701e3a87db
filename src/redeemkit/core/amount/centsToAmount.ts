import { InvalidAmountError } from '../errors/inputErrors.ts'
import { showValue } from '../errors/showValue.ts'

/** Decimals of credits, of USDC on EVM chains, and of Tempo's TIP-20 stablecoins. */
export const usdcDecimals = 6

export const amountPerCent = 10n ** /* @__PURE__ */ BigInt(usdcDecimals - 2)

/** Converts whole US cents to raw units of a 6-decimal dollar token: 1 cent is `10_000n`. */
export function centsToAmount(cents: number, options: { field?: string | undefined } = {}): bigint {
  if (typeof cents !== 'number' || !Number.isSafeInteger(cents) || cents < 0)
    throw new InvalidAmountError(`${showValue(cents)} is not a whole, non-negative number of cents.`, {
      field: options.field ?? 'cents',
      fix: 'Pass whole cents between 0 and 2^53 - 1: 10 dollars are 1000.',
    })
  return BigInt(cents) * amountPerCent
}

/** Converts raw units of a 6-decimal dollar token to cents. Rounds up, because fees are quoted that way. */
export function amountToCentsRoundedUp(amount: bigint): number {
  const cents = (amount + amountPerCent - 1n) / amountPerCent
  if (amount < 0n || cents > BigInt(Number.MAX_SAFE_INTEGER))
    throw new InvalidAmountError(`Amount ${showValue(amount)} cannot be written in cents.`, {
      fix: 'Use a non-negative amount below 2^53 cents.',
    })
  return Number(cents)
}
