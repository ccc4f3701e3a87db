import { BaseError } from '../../../../redeemkit/core/errors/baseError.ts'
import { problem } from '../../http/problem.ts'
import type { Outcome } from '../transferChain.ts'

/** What an error means for the transfer; an error that is not foreseen goes on. */
export function outcomeOf(error: unknown, isSent: boolean): Outcome {
  if (isNamed(error, 'BlockhashExpiredError'))
    return {
      status: 'expired',
      problem: problem(
        'PERMIT_EXPIRED',
        'The blockhash is too old: the transaction can never land. Prepare the transfer again: POST /sandbox/usdc-transfer.',
        { cause: error },
      ),
    }
  if (isNamed(error, 'TransactionFailedError', 'MissingTokenAccountError'))
    return {
      status: isSent ? 'failed' : 'refused',
      problem: problem('SIMULATION_FAILED', `${error.shortMessage} ${error.fix ?? ''}`.trim(), {
        cause: error,
        details: { revertReason: error.shortMessage, error: { name: error.name } },
      }),
    }
  if (isNamed(error, 'WrongSignatureError'))
    return {
      status: 'refused',
      problem: problem(
        'INVALID_USDC_AUTHORIZATION',
        `${error.shortMessage} Let the customer sign this very transaction.`,
        { cause: error },
      ),
    }
  throw error
}

/** Whether it is an error of ours with one of these names. */
export function isNamed(error: unknown, ...names: readonly string[]): error is BaseError {
  return error instanceof BaseError && names.includes(error.name)
}
