import { BaseError } from '../../core/errors/baseError.ts'
import { showValue } from '../../core/errors/showValue.ts'

/**
 * Takes a chain id: a positive integer that a double holds exactly.
 *
 * @throws {@link InvalidChainIdError}
 */
export function checkChainId(value: unknown, field: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value <= 0)
    throw new InvalidChainIdError(`${showValue(value)} is not a chain id.`, {
      field,
      fix: 'Give a positive integer as a number, such as 8453.',
      docs: 'EIP-155',
    })
  return value
}

/** Something that is not a chain id. */
export class InvalidChainIdError extends BaseError {
  override readonly name = 'InvalidChainIdError'
}
