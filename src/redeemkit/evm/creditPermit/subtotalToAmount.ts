import { centsToAmount } from '../../core/amount/centsToAmount.ts'
import { InvalidAmountError, parseAmount } from '../../core/amount/parseAmount.ts'
import { BaseError } from '../../core/errors/baseError.ts'
import { showValue } from '../../core/errors/showValue.ts'
import type { Subtotal } from '../../schema/subtotal.ts'

/**
 * What a subtotal is in raw units of the chain's USDC: 10.00 USD and 10 USDC are both `10_000_000n`. Never rounds.
 *
 * @param subtotal a parsed subtotal: US cents, or the chain's own USDC
 * @param options.usdc address of the chain's USDC; `undefined` where there is none
 * @returns more than 0
 * @throws {@link InvalidSubtotalError} for other currencies and tokens; {@link InvalidAmountError} for 0, and for
 * more than 6 decimal places
 */
export function subtotalToAmount(subtotal: Subtotal, options: { usdc: string | undefined }): bigint {
  const amount = 'cents' in subtotal ? dollars(subtotal) : tokens(subtotal, options.usdc)
  if (amount === 0n)
    throw new InvalidAmountError('The subtotal is 0.', {
      field: 'cents' in subtotal ? 'subtotal.cents' : 'subtotal.amount',
      fix: 'A redeem spends something: give more than 0.',
    })
  return amount
}

export declare namespace subtotalToAmount {
  type ErrorType = InvalidSubtotalError | parseAmount.ErrorType
}

function dollars(subtotal: Exclude<Subtotal, { address: string }>): bigint {
  if ('currency' in subtotal && subtotal.currency !== 'USD')
    throw new InvalidSubtotalError(`A redeem cannot be priced in ${subtotal.currency}.`, {
      field: 'subtotal.currency',
      fix: 'Give the price in US cents, or in the USDC of the chain.',
    })
  return centsToAmount(subtotal.cents, { field: 'subtotal.cents' })
}

function tokens(subtotal: Extract<Subtotal, { address: string }>, usdc: string | undefined): bigint {
  const { address, amount, decimals = 6 } = subtotal
  if (address.toLowerCase() !== usdc?.toLowerCase())
    throw new InvalidSubtotalError(`Token ${showValue(address)} is not the USDC of this chain.`, {
      field: 'subtotal.address',
      fix:
        usdc === undefined
          ? 'This chain has no USDC: give the price in US cents.'
          : `Use ${usdc}, or US cents.`,
    })
  if (decimals !== 6)
    throw new InvalidSubtotalError(`USDC has 6 decimals, not ${showValue(decimals)}.`, {
      field: 'subtotal.decimals',
      fix: 'Give 6, or leave it out.',
    })
  return parseAmount(typeof amount === 'number' ? shortestDecimal(amount) : amount, {
    decimals: 6,
    field: 'subtotal.amount',
  })
}

/** The shortest decimal form of a number, without exponent: `1e-6` is 0.000001. */
function shortestDecimal(amount: number): string {
  if (amount > Number.MAX_SAFE_INTEGER)
    throw new InvalidAmountError(`The number ${amount} may have been rounded already.`, {
      field: 'subtotal.amount',
      fix: 'Give large amounts as decimal text.',
    })
  const text = String(amount)
  const [, whole = '', places = '', exponent] = /^(\d)(?:\.(\d+))?e-(\d+)$/.exec(text) ?? []
  return exponent === undefined ? text : `0.${'0'.repeat(Number(exponent) - 1)}${whole}${places}`
}

/** A redeem takes US dollars and the chain's own USDC, nothing else (PROTOCOL.md 6). */
export class InvalidSubtotalError extends BaseError {
  override readonly name = 'InvalidSubtotalError'
}
