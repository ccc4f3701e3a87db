import type { InvalidAuthMessageError } from '../../core/authMessage/authMessageErrors.ts'
import { type InvalidOptionError, InvalidTransactionError } from '../../core/errors/inputErrors.ts'
import { oneLine } from '../../core/errors/oneLine.ts'
import type { InspectionKind } from '../../core/finding/finding.ts'
import { type Inspection, verdictOf } from '../../core/finding/finding.ts'
import { parseAuthEntry } from '../envelope/authEntry.ts'
import type { InvalidMemoError } from '../envelope/parseTransaction.ts'
import { parseTransaction, readXdr } from '../envelope/parseTransaction.ts'
import type { expectedInvocation } from '../expected.ts'
import type { networkOf } from '../networks.ts'
import { xdr } from '../sdk.ts'
import {
  compareNetwork,
  createContext,
  type InspectDetails,
  type InspectedAuthorization,
  type InspectedOperation,
  type InspectionContext,
  type InspectOptions,
} from './context.ts'
import { inspectAuthEntry, inspectCalls, inspectPreimage } from './inspectAuthEntry.ts'
import { inspectChallenge, inspectMessage } from './inspectSignIn.ts'
import { inspectTransaction } from './inspectTransaction.ts'
import { formatCall, formatOperation } from './operations.ts'

/**
 * Says what a request to a Stellar wallet really asks for, and holds it against the one thing that was expected.
 *
 * Anything beyond is a danger: another operation, contract, function, argument, amount, destination, asset, issuer,
 * account, authorization or sub-invocation, a memo, a condition, a missing or long time limit, a large fee, a signature
 * that is not for this network. Without `expected` nothing can be compared; then the verdict is `caution` at best.
 *
 * @throws `InvalidBase64Error`, `InvalidTransactionError` when the request cannot be read at all; `InvalidAddressError`,
 * `InvalidAmountError`, `InvalidMemoError`, `MissingExpectationError` when `expected` cannot be meant; `InvalidOptionError`
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
  options: inspect.Options,
): Inspection<inspect.Details | undefined> {
  const context = createContext(options)
  const kinds = ['transaction', 'authEntry', 'message'].filter((name) => name in Object(request))
  if (kinds.length !== 1)
    throw new InvalidTransactionError(`The request has ${kinds.join(' and ') || 'nothing to sign'}.`, {
      field: 'request',
      fix: 'Inspect one thing: a transaction, an authEntry or a message.',
    })
  compareNetwork(context, request.networkPassphrase)
  const [kind, summary, details] = readXdr(() => inspectRequest(request, context))
  const { findings } = context
  return { kind, summary: oneLine(summary), verdict: verdictOf(findings), findings, details }
}

export declare namespace inspect {
  /** What a dApp hands to `signTransaction`, `signAuthEntry` or `signMessage` of a SEP-43 wallet. */
  type Request = { networkPassphrase?: string | undefined } & (
    | { transaction: string }
    | { authEntry: string }
    | { message: string }
  )
  type Options = InspectOptions
  type Details = InspectDetails
  type Operation = InspectedOperation
  type Authorization = InspectedAuthorization
  type ErrorType =
    | networkOf.ErrorType
    | parseTransaction.ErrorType
    | expectedInvocation.ErrorType
    | InvalidAuthMessageError
    | InvalidOptionError
    | InvalidMemoError
}

type Result = [kind: InspectionKind, summary: string, details: InspectDetails | undefined]

function inspectRequest(request: inspect.Request, context: InspectionContext): Result {
  if ('message' in request) {
    const [summary, message] = inspectMessage(request.message, context)
    return ['signIn', summary, message && { message, authorizations: [] }]
  }
  if ('authEntry' in request) {
    const entry = parseAuthEntry(request.authEntry)
    const authorization =
      entry instanceof xdr.SorobanAuthorizationEntry
        ? inspectAuthEntry(entry, context.address, context)
        : inspectPreimage(entry, context)
    const { invocation, address } = authorization
    inspectCalls([invocation], context)
    warnUncompared(context)
    return [
      'stellarAuthorization',
      `Authorize for ${address}: ${formatCall(invocation, context.network)}.`,
      { authorizations: [authorization] },
    ]
  }
  const parsed = parseTransaction(request.transaction, context.network)
  if (parsed.transaction.sequence === '0' && context.expected === undefined)
    return ['signIn', inspectChallenge(request.transaction, parsed.transaction, context), undefined]
  const details = inspectTransaction(parsed, context)
  inspectCalls(
    [
      ...details.authorizations.map(({ invocation }) => invocation),
      ...details.operations.flatMap(({ call }) => call ?? []),
    ],
    context,
  )
  warnUncompared(context)
  const { network } = context
  const text = details.operations.map((operation) => formatOperation(operation, network))
  return ['stellarTransaction', text.join(' '), details]
}

/** Without an expectation nothing confirms that the request is intended. */
export function warnUncompared({ findings, expected }: InspectionContext): void {
  if (expected === undefined)
    findings.push({
      severity: 'warning',
      code: 'NOT_COMPARED',
      message: 'Nothing was expected, so nothing was compared.',
      field: 'expected',
      fix: 'Pass `expected`: what the transaction must do.',
    })
}
