import type { TransactionData } from '../../schema/transactionData.ts'
import { keepErrors } from '../revert/keptErrors.ts'
import { checkKeys } from '../values/checkKeys.ts'
import type { BuilderOptions } from './contractCall.ts'
import { settlementOf } from './settlementOf.ts'

/**
 * Adds the options to a built record, and checks the whole as the service will. The errors of the call's ABI are kept with it,
 * in memory only, so that `decodeRevert` knows them.
 */
export function finish<record extends TransactionData>(
  record: record,
  options: BuilderOptions,
  call: object = {},
): record {
  checkKeys(options, 'options', { required: [], optional: ['waitForHash'] })
  const finished =
    options.waitForHash === undefined ? record : { ...record, waitForHash: options.waitForHash }
  settlementOf(finished)
  if ('abi' in call && Array.isArray(call.abi)) keepErrors(finished, call.abi)
  return finished
}

export declare namespace finish {
  type ErrorType = settlementOf.ErrorType
}
