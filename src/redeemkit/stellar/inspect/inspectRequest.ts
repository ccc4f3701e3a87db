import type { InvalidAuthMessageError } from '../../core/authMessage/authMessageErrors.ts'
import { type InvalidOptionError, InvalidTransactionError } from '../../core/errors/inputErrors.ts'
import { oneLine } from '../../core/errors/oneLine.ts'
import { showText } from '../../core/errors/showText.ts'
import type { InspectionKind } from '../../core/finding/finding.ts'
import { createInspection } from '../../core/inspection/createInspection.ts'
import type { Inspection, InspectionLine, InspectionSentence } from '../../core/inspection/inspection.ts'
import {
  addressValue,
  dangersOf,
  findingSentence,
  line,
  refusal,
  sentence,
  textValue,
  timeValue,
} from '../../core/inspection/values.ts'
import { unixSeconds } from '../../core/time/clock.ts'
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
import { describeOperation } from './describeOperation.ts'
import { inspectAuthEntry, inspectCalls, inspectPreimage } from './inspectAuthEntry.ts'
import { inspectChallenge, inspectMessage } from './inspectSignIn.ts'
import { inspectTransaction } from './inspectTransaction.ts'
import { formatCall } from './operations.ts'

/**
 * As `inspect`, for callers that pass their own options: it throws for what cannot be read.
 *
 * Anything beyond is a danger: another operation, contract, function, argument, amount, destination, asset, issuer,
 * account, authorization or sub-invocation, a memo, a condition, a missing or long time limit, a large fee, a signature
 * that is not for this network. Without `expected` nothing can be compared; then the verdict is `caution` at best.
 *
 * @throws `InvalidBase64Error`, `InvalidTransactionError` when the request cannot be read at all; `InvalidAddressError`,
 * `InvalidAmountError`, `InvalidMemoError`, `MissingExpectationError` when `expected` cannot be meant; `InvalidOptionError`
 */
export function inspectRequest(
  request: inspectRequest.Request,
  options: inspectRequest.Options,
): Inspection<inspectRequest.Details | undefined> {
  const context = createContext(options)
  const kinds = ['transaction', 'authEntry', 'message'].filter((name) => name in Object(request))
  if (kinds.length !== 1)
    throw new InvalidTransactionError(`The request has ${kinds.join(' and ') || 'nothing to sign'}.`, {
      field: 'request',
      fix: 'Inspect one thing: a transaction, an authEntry or a message.',
    })
  compareNetwork(context, request.networkPassphrase)
  const { kind, sentences, bad = [], lines, details } = readXdr(() => readRequest(request, context))
  const { findings, network } = context
  const dangers = dangersOf(findings).filter(({ code }) => bad.length === 0 || code !== 'UNKNOWN_OPERATION')
  const wrong = [...bad, ...dangers.map(findingSentence)]
  const shown = refusal(wrong.length > 0 ? wrong : sentences.slice(0, 1))
  return createInspection({
    kind,
    title: shown.title,
    lines: [
      ...shown.lines,
      ...lines,
      line('chain', textValue(network.name)),
      line('account', addressValue(context.user)),
    ],
    findings,
    moves: (details?.operations ?? []).flatMap(({ payment, source }) =>
      payment === undefined
        ? []
        : [
            {
              direction: source === context.address ? 'out' : payment.to === context.address ? 'in' : 'other',
              asset: payment.asset,
              amount: payment.amount,
              decimals: 7,
              from: source,
              to: payment.to,
            },
          ],
    ),
    details,
  })
}

export declare namespace inspectRequest {
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

type Described = {
  kind: InspectionKind
  sentences: InspectionSentence[]
  /** Sentences of operations that no page may ask for. */
  bad?: InspectionSentence[]
  lines: InspectionLine[]
  details: InspectDetails | undefined
}

function readRequest(request: inspectRequest.Request, context: InspectionContext): Described {
  if ('message' in request) {
    const { message, ...described } = inspectMessage(request.message, context)
    return { ...described, details: message && { message, authorizations: [] } }
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
    const call = textValue(oneLine(formatCall(invocation, context.network)))
    return {
      kind: 'stellarAuthorization',
      sentences: [sentence('authorize', { account: addressValue(address), call })],
      lines: [line('contract', addressValue(invocation.contract)), line('call', call)],
      details: { authorizations: [authorization] },
    }
  }
  const parsed = parseTransaction(request.transaction, context.network)
  if (parsed.transaction.sequence === '0' && context.expected === undefined)
    return { ...inspectChallenge(request.transaction, parsed.transaction, context), details: undefined }
  const details = inspectTransaction(parsed, context)
  inspectCalls(
    [
      ...details.authorizations.map(({ invocation }) => invocation),
      ...details.operations.flatMap(({ call }) => call ?? []),
    ],
    context,
  )
  warnUncompared(context)
  const described = details.operations.map((operation) => describeOperation(operation, context))
  return {
    kind: 'stellarTransaction',
    sentences: described.map((one) => one.sentence),
    bad: described.filter(({ isBad }) => isBad).map((one) => one.sentence),
    lines: [
      ...described.flatMap((one) => [
        line('call', { type: 'sentence', sentence: one.sentence }),
        ...one.lines,
      ]),
      line('fee', { type: 'amount', amount: details.fee, decimals: 7, symbol: 'XLM' }),
      ...(details.memo === undefined ? [] : [line('memo', textValue(showText(details.memo, 120)))]),
      line('until', timeValue(details.validUntil || undefined, unixSeconds(context.now))),
    ],
    details,
  }
}

/** Without an expectation nothing confirms that the request is intended. */
export function warnUncompared({ findings, expected }: InspectionContext): void {
  if (expected === undefined)
    findings.push({
      severity: 'warning',
      code: 'NOT_COMPARED',
      message: 'You did not say what to expect, so this could not be compared with anything.',
      field: 'expected',
      fix: 'Pass `expected`: what the transaction must do.',
    })
}
