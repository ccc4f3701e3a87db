import { checkOptions, type OptionKinds } from '../../core/checkOptions.ts'
import { createRefusal } from '../../core/inspection/createInspection.ts'
import type { Inspection } from '../../core/inspection/inspection.ts'
import type { InspectDetails, InspectOptions } from './context.ts'
import { inspectRequest } from './inspectRequest.ts'

/**
 * Describes a request to a Stellar wallet, and lists its problems. Never throws.
 *
 * With `expected`, anything beyond the expected transaction is a danger. Without `expected`, each operation is described, and an operation
 * that gives away the account or everything in it is a danger. The verdict is then `caution` at best, because nothing was compared.
 *
 * @param request what a dApp passes to `signTransaction`, `signAuthEntry` or `signMessage` of a SEP-43 wallet
 * @param context what the wallet knows: page origin, account, network, the expected transaction
 * @see PROTOCOL.md 8.4, 9.4
 * @example
 * ```ts
 * import { inspect } from 'redeemkit/stellar'
 * function look(transaction: string, address: string, to: string) {
 *   const expected = { kind: 'payment', from: address, to, amount: 10_000_000n } as const
 *   return inspect({ transaction }, { environment: 'prod', address, expected }).verdict
 * }
 * ```
 */
export function inspect(
  request: inspect.Request,
  context: inspect.Context,
): Inspection<inspect.Details | undefined> {
  try {
    return inspectRequest(request, checkOptions(context, contextKinds, 'context'))
  } catch (error) {
    return createRefusal(error)
  }
}

export declare namespace inspect {
  type Request = inspectRequest.Request
  type Context = InspectOptions
  type Details = InspectDetails
  type Operation = inspectRequest.Operation
  type Authorization = inspectRequest.Authorization
}

const contextKinds: OptionKinds<inspect.Context> = {
  environment: 'any',
  address: 'any',
  expected: 'any',
  origin: 'string?',
  known: 'object?',
  latestLedger: 'any',
  simulation: 'any',
  maxFee: 'any',
  maxValidForSeconds: 'any',
  serverKey: 'any',
  memoId: 'any',
  clientDomain: 'any',
  now: 'function?',
}
