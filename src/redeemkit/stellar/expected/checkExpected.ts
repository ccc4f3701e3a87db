import { BaseError } from '../../core/errors/baseError.ts'
import { showValue } from '../../core/errors/showValue.ts'

/**
 * Somebody has to have said what a transaction is for.
 *
 * @throws {@link MissingExpectationError}
 */
export function checkExpected(expected: unknown): void {
  const { kind } = Object(expected)
  if (!['payment', 'call', 'account'].includes(kind))
    throw new MissingExpectationError(`The request has no purpose: expected is ${showValue(expected)}.`, {
      field: 'expected',
      fix: "Give what was asked for: { kind: 'payment', 'call' or 'account', from, … }.",
    })
}

/** A signature asked for without saying what it is for. */
export class MissingExpectationError extends BaseError {
  override readonly name = 'MissingExpectationError'
}
