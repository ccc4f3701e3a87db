import { InvalidAmountError } from '../../core/amount/parseAmount.ts'
import { showValue } from '../../core/errors/showValue.ts'

/**
 * Takes an amount of a token: raw units between 1 and 2^64 - 1.
 *
 * @throws {@link InvalidAmountError}
 */
export function checkAmount(amount: bigint): bigint {
  if (typeof amount !== 'bigint' || amount < 1n || amount >= 1n << 64n)
    throw new InvalidAmountError(`${showValue(amount)} is not an amount that can be sent.`, {
      field: 'amount',
      fix: 'Give raw units as a bigint from 1 to 2^64 - 1: 1 USDC is 1_000_000n.',
    })
  return amount
}
