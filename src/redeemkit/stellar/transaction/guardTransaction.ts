import type { ParsedTransaction } from '../envelope/parseTransaction.ts'
import { inspectTransaction } from '../inspect/inspectTransaction.ts'
import { guardRequest } from './guardRequest.ts'

/**
 * Proves a transaction to be the expected one and nothing else.
 *
 * @throws what `guardRequest` throws
 */
export function guardTransaction(
  parsed: ParsedTransaction,
  options: Parameters<typeof guardRequest>[0],
): void {
  guardRequest(options, (context) => inspectTransaction(parsed, context))
}

export declare namespace guardTransaction {
  type ErrorType = guardRequest.ErrorType
}
