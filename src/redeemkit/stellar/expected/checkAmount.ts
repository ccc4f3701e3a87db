import { InvalidAmountError } from '../../core/amount/parseAmount.ts'
import { showValue } from '../../core/errors/showValue.ts'

/**
 * A positive amount that fits into Stellar's 63 bits.
 *
 * @throws `InvalidAmountError`
 */
export function checkAmount(amount: bigint): bigint {
  if (typeof amount === 'bigint' && amount > 0n && amount < 1n << 63n) return amount
  throw new InvalidAmountError(`${showValue(amount)} is not an amount on Stellar.`, {
    field: 'amount',
    fix: 'Give raw units as a bigint, 1n to 2^63 - 1: 1 USDC is 10_000_000n.',
  })
}
