import type { InvalidAuthMessageError } from '../../core/authMessage.ts'
import { unixSeconds } from '../../core/clock.ts'
import { type InvalidOptionError, InvalidTransactionError } from '../../core/errors/inputErrors.ts'
import { showText } from '../../core/errors/showValue.ts'
import { type Finding, type InspectionKind, notCompared } from '../../core/finding/finding.ts'
import type { FindingCode } from '../../core/finding/findingCatalogue.ts'
import { createInspection } from '../../core/inspection/createInspection.ts'
import { type Effect, effectLines, effectTitle, unexpectedTitle } from '../../core/inspection/effect.ts'
import type { Inspection, InspectionLine, InspectionSentence } from '../../core/inspection/inspection.ts'
import {
  dangersOf,
  findingSentence,
  line,
  refusal,
  sentenceValue,
  textValue,
  timeValue,
} from '../../core/inspection/values.ts'
import { type Invocation, parseAuthEntry } from '../envelope/authEntry.ts'
import {
  type InvalidMemoError,
  type ParsedTransaction,
  parseTransaction,
  readXdr,
} from '../envelope/envelope.ts'
import type { expectedInvocation } from '../expected.ts'
import type { networkOf } from '../networks.ts'
import { xdr } from '../sdk.ts'
import { amountText } from '../values.ts'
import {
  compareNetwork,
  createContext,
  type InspectDetails,
  type InspectedAuthorization,
  type InspectedOperation,
  type InspectionContext,
  type InspectOptions,
  type TransactionDetails,
} from './context.ts'
import { describeCalls } from './describeCall.ts'
import { describeOperation } from './describeOperation.ts'
import { inspectChallenge, inspectMessage } from './inspectSignIn.ts'
import { inspectAuthEntry, inspectPreimage, inspectTransaction } from './inspectTransaction.ts'
import { accountValue, isOwn, ownerValue, type Place, stellarSentence } from './stellarValues.ts'

/** Works like `inspect`, but throws if the request cannot be read or an option is invalid. */
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
  const { kind, effects, sentences, lines, details } = readXdr(() => readRequest(request, context))
  const others =
    context.expected === undefined ? judgeAlone(context, details?.fee) : context.findings.map(inPlainWords)
  const shown = titleOf({ effects, sentences }, others, context)
  return createInspection({
    kind,
    title: shown.title,
    lines: [
      ...shown.lines,
      ...effectLines(effects),
      ...lines,
      line('chain', textValue(context.network.name)),
      line('account', accountValue(context.user, context)),
    ],
    findings: [...effectFindings(effects, context), ...others],
    moves: effects.flatMap(({ moves }) => moves),
    grants: effects.flatMap(({ grants }) => grants),
    details,
  })
}

/** With an expectation, only the comparison counts, but a right to spend tokens is always reported. */
function effectFindings(effects: readonly Effect[], { expected }: InspectionContext): Finding[] {
  const findings = effects.flatMap((one) => one.findings)
  if (expected === undefined) return findings
  return findings
    .filter(({ code }) => code === 'DELEGATE_APPROVAL' || code === 'UNLIMITED_APPROVAL')
    .map((found) => ({ ...found, severity: 'warning' }))
}

function titleOf(
  { effects, sentences }: Pick<Described, 'effects' | 'sentences'>,
  others: readonly Finding[],
  { expected }: InspectionContext,
) {
  const dangers = dangersOf(others)
  if (sentences !== undefined) return refusal(dangers.length > 0 ? dangers.map(findingSentence) : sentences)
  return expected !== undefined && dangers.length > 0
    ? unexpectedTitle(effects, dangers)
    : effectTitle(effects, others)
}

export declare namespace inspectRequest {
  /** The arguments that a dApp passes to `signTransaction`, `signAuthEntry` or `signMessage` of a SEP-43 wallet. */
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
  effects: readonly Effect[]
  /** The sentences of a sign-in, which has no effects on the ledger. */
  sentences?: readonly InspectionSentence[] | undefined
  lines: readonly InspectionLine[]
  details: InspectDetails | undefined
}

function readRequest(request: inspectRequest.Request, context: InspectionContext): Described {
  if ('message' in request) {
    const { message, ...described } = inspectMessage(request.message, context)
    return { ...described, effects: [], details: message && { message, authorizations: [] } }
  }
  if ('authEntry' in request) {
    const entry = parseAuthEntry(request.authEntry)
    const authorization =
      entry instanceof xdr.SorobanAuthorizationEntry
        ? inspectAuthEntry(entry, context.address, context)
        : inspectPreimage(entry, context)
    if (context.expected === undefined) context.findings.push(notCompared)
    return {
      kind: 'stellarAuthorization',
      effects: describeAuthorization(authorization, { ...context, signsFor: authorization.address }),
      lines: endLines(authorization),
      details: { authorizations: [authorization] },
    }
  }
  const parsed = parseTransaction(request.transaction, context.network)
  if (parsed.transaction.sequence === '0' && context.expected === undefined) {
    const described = inspectChallenge(request.transaction, parsed.transaction, context)
    return { ...described, effects: [], details: undefined }
  }
  const details = inspectTransaction(parsed, context)
  if (context.expected === undefined) context.findings.push(notCompared)
  return {
    kind: 'stellarTransaction',
    effects: effectsOf(parsed, details, context),
    lines: [
      ...details.authorizations.flatMap(endLines),
      line('fee', { type: 'amount', amount: details.fee, decimals: 7, symbol: 'XLM' }),
      ...(details.memo === undefined ? [] : [line('memo', textValue(showText(details.memo, 120)))]),
      line('until', timeValue(details.validUntil || undefined, unixSeconds(context.now))),
    ],
    details,
  }
}

/** Returns the effects of the operations, then the additional effects that their authorizations allow. */
function effectsOf(
  { transaction }: ParsedTransaction,
  { source, feeSource, operations, authorizations }: TransactionDetails,
  context: InspectionContext,
): Effect[] {
  const raw = transaction.toEnvelope().v1().tx().operations()
  const paysOnly = isOwn(feeSource ?? '', context)
  const harmless = transaction.operations.flatMap((one) =>
    paysOnly ? [one.source ?? source] : one.type === 'createAccount' ? [one.destination] : [],
  )
  const place = { ...context, transactionSource: source, harmless }
  const done = transaction.operations.flatMap((operation, index) => {
    const body = raw[index]
    return body === undefined ? [] : describeOperation(operation, body, place)
  })
  const isCreation = done.some(({ sentence }) => sentence.key === 'create')
  const allowed = authorizations.flatMap((authorization) =>
    operations.some(({ call }) => call !== undefined && isSameCall(call, authorization.invocation)) ||
    (isCreation && authorization.invocation.contract === '')
      ? authorization.invocation.subInvocations.flatMap((inner) => describeCalls(inner, context))
      : describeAuthorization(authorization, context),
  )
  const isCall = allowed.length > 0 && operations.length === 1
  return [...(isCall ? done.map(asPurpose) : done), ...allowed]
}

/**
 * A call weighs more than its authorizations, because it is the transaction's purpose and they only pay for it. A call that moves tokens by
 * itself keeps its weight: otherwise, a call of a made-up token could hide the tokens that its authorizations take.
 */
const asPurpose = (call: Effect): Effect =>
  call.moves.length + call.grants.length > 0 ? call : { ...call, weight: 3 }

const isSameCall = (one: Invocation, other: Invocation) =>
  one.contract === other.contract &&
  one.functionName === other.functionName &&
  one.args.join() === other.args.join()

/** Describes the calls that an authorization allows, and names the account if it is not the wallet's. */
function describeAuthorization({ address, invocation }: InspectedAuthorization, place: Place): Effect[] {
  const [root, ...inner] = describeCalls(invocation, place)
  if (root === undefined || isOwn(address, place))
    return root === undefined ? [] : [asPurpose(root), ...inner]
  const values = { account: ownerValue(address, place), call: sentenceValue(root.sentence) }
  return [asPurpose({ ...root, sentence: stellarSentence('authorize', values) }), ...inner]
}

const endLines = ({ validUntilLedger }: InspectedAuthorization) =>
  validUntilLedger === undefined ? [] : [line('ledger', textValue(`${validUntilLedger}`))]

const laterFix = 'Sign it only if it may be executed later.'
const trustFix = 'Sign it only if you trust the site that asks.'

/** Message and fix of findings that are dangers in an expected payment, but only unusual in another service's transaction. */
const unusual: Partial<Record<FindingCode, readonly [message: string, fix: string]>> = {
  EXPIRED: ['The request has expired, so it can no longer be executed.', 'Ask for a new request.'],
  EXPIRES_TOO_LATE: ['The request stays valid for longer than usual.', laterFix],
  NOT_YET_VALID: ['The request cannot be executed yet.', laterFix],
  NO_TIME_LIMIT: ['The request does not expire: it can be executed at any later time.', laterFix],
  UNKNOWN_CONDITION: ['The request has unusual conditions.', trustFix],
  UNEXPECTED_RESOURCES: ['The request uses an unusual amount of network resources.', trustFix],
  FOREIGN_SIGNATURE: [
    'The request contains a signature by another account, or a signature of something else.',
    'Sign it only if others should sign it too.',
  ],
  EXTRA_SIGNER: ['Another account would also sign this request.', 'Sign it only if you know that account.'],
  FEE_TOO_HIGH: ['The network fee may be more than 1 XLM.', 'Sign it only if you want to pay this fee.'],
}

/** Messages for findings that remain dangers without an expectation, and for differences from an expectation. */
const wrong: Partial<Record<FindingCode, string>> = {
  FEE_TOO_HIGH: 'The network fee is too high.',
  WRONG_ASSET: 'The token is not the USDC of this network.',
  WRONG_NETWORK: 'The request is for another network.',
  WRONG_SEQUENCE: 'The sequence number is invalid.',
  WRONG_ARGUMENTS: 'The values in the call are not the expected ones.',
  UNEXPECTED_OPERATION: 'The transaction has an operation that was not expected.',
  UNKNOWN_OPERATION: 'The transaction has an operation that was not expected.',
}

/** The names of compared fields, where they differ from the field's path. */
const fieldNames: Readonly<Record<string, string>> = {
  address: 'account',
  source: 'source account',
  feeSource: 'fee payer',
  from: 'payer',
  to: 'receiver',
  functionName: 'function',
  auth: 'authorization',
  preimage: 'authorization',
  calls: 'number of inner calls',
  'calls[0]': 'inner call',
  'auth.length': 'number of authorizations',
  'operations.length': 'number of operations',
}

/** Replaces the path of a field in a finding's message with plain words. */
function inPlainWords(found: Finding): Finding {
  const { code, field = '', message } = found
  if (!message.startsWith(`${field} is `)) return found
  const parts = field.split('.').reverse()
  const name = fieldNames[field] ?? parts.map((part) => fieldNames[part] ?? part).join(' of the ')
  const rest = message.slice(field.length)
  // The amount of a call may be a value that is not a number.
  const values =
    code === 'WRONG_AMOUNT'
      ? rest.replace(/(?<= )-?\d+(?=[ .])/g, (units) => amountText(BigInt(units)))
      : rest
  return { ...found, message: wrong[code] ?? unusual[code]?.[0] ?? `The ${name}${values}` }
}

/** 100 XLM in stroops: more than any honest fee. */
const mostFee = 1_000_000_000n

/** Returns the findings of a request without an expectation. A danger becomes a warning if honest requests can have it. */
function judgeAlone({ findings, maxFee }: InspectionContext, fee?: bigint): Finding[] {
  return findings.map((found) => {
    const { code, severity } = found
    const isOver = code === 'FEE_TOO_HIGH' && (maxFee !== undefined || (fee ?? 0n) > mostFee)
    const [message, fix] = isOver ? [] : (unusual[code] ?? [])
    if (severity !== 'danger') return found
    return message === undefined
      ? { ...found, message: wrong[code] ?? found.message }
      : { ...found, severity: 'warning', message, fix }
  })
}
