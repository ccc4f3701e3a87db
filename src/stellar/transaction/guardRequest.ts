import type { InvalidOptionError } from '../../core/errors/inputErrors.ts'
import type { InvalidClockError } from '../../core/time/clock.ts'
import type { InvalidMemoError } from '../envelope/errors.ts'
import { parseAuthEntry } from '../envelope/parseAuthEntry.ts'
import { parseTransaction } from '../envelope/parseTransaction.ts'
import { checkExpected } from '../expected/checkExpected.ts'
import type { expectedInvocation } from '../expected/expectedInvocation.ts'
import { compareNetwork, createContext, type InspectOptions } from '../inspect/context.ts'
import { inspectAuthEntry } from '../inspect/inspectAuthEntry.ts'
import { inspectTransaction } from '../inspect/inspectTransaction.ts'
import type { networkOf } from '../networks.ts'
import { refuseDangers } from './refuseDangers.ts'

/**
 * Proves a request to be the expected one and nothing else: what stands before every signature of value.
 *
 * The request is named by the caller's code, not looked for in the options: a second request that a dApp put beside the first is
 * not inspected in its place.
 *
 * @throws `MissingExpectationError`; `RefusedTransactionError` and its kin; what `inspect` throws
 */
export function guardRequest(
  request: { transaction: string } | { authEntry: string },
  options: InspectOptions & { networkPassphrase?: string | undefined },
): void {
  checkExpected(options.expected)
  const context = createContext(options)
  compareNetwork(context, options.networkPassphrase)
  if ('authEntry' in request) inspectAuthEntry(parseAuthEntry(request.authEntry), context)
  else inspectTransaction(parseTransaction(request.transaction, context.network), context)
  refuseDangers(context.findings)
}

export declare namespace guardRequest {
  type ErrorType =
    | networkOf.ErrorType
    | parseTransaction.ErrorType
    | expectedInvocation.ErrorType
    | refuseDangers.ErrorType
    | InvalidOptionError
    | InvalidMemoError
    | InvalidClockError
}
