import { BaseError } from '../../core/errors/baseError.ts'
import { InvalidTransactionError } from '../../core/errors/inputErrors.ts'

/**
 * Runs what reads values of the SDK: its releases know different parts of the protocol, and what one does not know it answers with
 * errors of its own, a `TypeError` among them.
 *
 * @throws `InvalidTransactionError` in their place
 */
export function readXdr<value>(read: () => value): value {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof BaseError) throw cause
    throw new InvalidTransactionError('The request has a part that cannot be read.', {
      field: 'request',
      cause,
      fix: 'Do not sign it; look for newer versions of this package and of @stellar/stellar-sdk.',
    })
  }
}
