import type { InvalidOptionError } from '../../core/errors/inputErrors.ts'
import type { parseTransaction } from '../envelope/parseTransaction.ts'
import { readXdr } from '../envelope/readXdr.ts'
import { checkExpected } from '../expected/checkExpected.ts'
import type { expectedInvocation } from '../expected/expectedInvocation.ts'
import {
  compareNetwork,
  createContext,
  type InspectionContext,
  type InspectOptions,
} from '../inspect/context.ts'
import type { networkOf } from '../networks.ts'
import { refuseDangers } from './refuseDangers.ts'

/**
 * Proves a request to be the expected one and nothing else: what stands before every signature of value.
 *
 * The caller's code says what is inspected; nothing is looked for in the options, so that a second request which a dApp put
 * beside the first is not inspected in its place.
 *
 * @throws `MissingExpectationError`; `RefusedTransactionError` and its kin; what `inspect` throws
 */
export function guardRequest(
  options: InspectOptions & { networkPassphrase?: string | undefined },
  inspectRequest: (context: InspectionContext) => unknown,
): void {
  checkExpected(options.expected)
  const context = createContext(options)
  compareNetwork(context, options.networkPassphrase)
  readXdr(() => inspectRequest(context))
  refuseDangers(context.findings)
}

export declare namespace guardRequest {
  /** What `inspectRequest` throws comes on top. */
  type ErrorType =
    | networkOf.ErrorType
    | parseTransaction.ErrorType
    | expectedInvocation.ErrorType
    | refuseDangers.ErrorType
    | InvalidOptionError
}
