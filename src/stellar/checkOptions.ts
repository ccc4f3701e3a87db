import { BaseError } from '../core/errors/baseError.ts'
import { showValue } from '../core/errors/showValue.ts'
import type { InspectOptions } from './inspect/context.ts'

/**
 * Takes the numbers that a time limit or a fee is judged by. Text in their place would be joined, not added, and no limit be left.
 *
 * @throws {@link InvalidOptionError}
 */
export function checkOptions(
  options: Pick<InspectOptions, 'latestLedger' | 'maxFee' | 'maxValidForSeconds'>,
): void {
  checkCount(options.latestLedger, 'latestLedger')
  checkCount(options.maxValidForSeconds, 'maxValidForSeconds')
  checkStroops(options.maxFee, 'maxFee')
}

/**
 * A whole number that is not negative, or none.
 *
 * @throws {@link InvalidOptionError}
 */
export function checkCount(value: number | undefined, field: string): number | undefined {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 0)) return value
  throw new InvalidOptionError(`${field} is ${showValue(value)}.`, {
    field,
    fix: 'Give a whole number that is not negative, or leave it out.',
  })
}

/**
 * An amount of stroops, or none. 1 XLM is `10_000_000n`.
 *
 * @throws {@link InvalidOptionError}
 */
export function checkStroops(value: bigint | undefined, field: string): bigint | undefined {
  if (value === undefined || (typeof value === 'bigint' && value >= 0n)) return value
  throw new InvalidOptionError(`${field} is ${showValue(value)}.`, {
    field,
    fix: 'Give stroops as a bigint, or leave it out: 1 XLM is 10_000_000n.',
  })
}

/** An option that means nothing. */
export class InvalidOptionError extends BaseError {
  override readonly name = 'InvalidOptionError'
}
