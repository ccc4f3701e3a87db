import type { TransactionData } from '../../schema/transactionData.ts'
import { checkKeys } from '../values/checkKeys.ts'
import type { BuilderOptions } from './contractCall.ts'
import { settlementOf } from './settlementOf.ts'

/** Adds the options to a built record, and checks the whole as the service will. */
export function finish<record extends TransactionData>(record: record, options: BuilderOptions): record {
  checkKeys(options, 'options', { required: [], optional: ['waitForHash'] })
  const finished =
    options.waitForHash === undefined ? record : { ...record, waitForHash: options.waitForHash }
  settlementOf(finished)
  return finished
}

export declare namespace finish {
  type ErrorType = settlementOf.ErrorType
}
