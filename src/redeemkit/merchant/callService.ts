import { checkoutRecord, secretFields, secretsIn } from '../api/checkoutRecord.ts'
import {
  InvalidAnswerError,
  isServiceError,
  OutcomeUnknownError,
  PaymentOutcomeUnknownError,
  RequestAbortedError,
  ServiceTimeoutError,
  ServiceUnreachableError,
} from '../api/errors.ts'
import type { Call, CredentialStore } from '../api/paymentsClient.ts'
import { readSessionKey } from '../api/readSessionKey.ts'
import { send } from '../api/send.ts'
import { checkOptions } from '../core/checkOptions.ts'
import { readClock } from '../core/clock.ts'
import { BaseError } from '../core/errors/baseError.ts'
import { InvalidOptionError } from '../core/errors/inputErrors.ts'
import { showKey } from '../core/errors/showValue.ts'
import type { WireRemedy } from '../core/errors/wireErrors.ts'
import type { HeaderNames } from '../core/headerNames.ts'
import { checkOrderId } from '../core/orderId.ts'
import type { Endpoint } from '../schema/endpoints/routes.ts'
import { loose } from '../schema/loose.ts'
import { parseRecord } from '../schema/parseRecord.ts'
import type { RecordSchema } from '../schema/readRecord.ts'
import type { SendGaslessTxBody } from '../schema/sendGaslessTxBody.ts'
import { callHeaders, callPath, headersOf, holdsKey, pathParameters } from './callRequest.ts'
import type { CallPolicy, EndpointId } from './calls.ts'

export type Means = {
  /** Base URL without a trailing `/api` or slash. */
  baseUrl: string
  merchantId: string
  apiKey: string
  names: HeaderNames
  options: Parameters<typeof send>[1]['options']
}

export type OneCall = { endpoint: Endpoint & { id: EndpointId }; policy: CallPolicy }

/** A call of the endpoint table, or a call that the caller describes (`MerchantClient.request`). */
export type AnyCall = OneCall | DescribedCall

type DescribedCall = {
  endpoint: Pick<Endpoint, 'path' | 'headers' | 'body' | 'query'> & { id: 'request'; method: CallMethod }
  policy: CallPolicy
  answer: RecordSchema<unknown>
}

export type CallMethod = Call['method']

type Given = Readonly<Record<string, unknown>>

/**
 * Checks the options before anything is sent.
 *
 * @throws {@link CallOutcomeUnknownError}, {@link PaymentOutcomeUnknownError} or {@link OutcomeUnknownError} when the outcome of a
 * request that changes something is unknown, and the request must not be repeated
 */
export async function callService(means: Means, call: AnyCall, options: Given = {}): Promise<unknown> {
  const { endpoint, policy } = call
  checkNames(endpoint, options)
  if (options.merchantId !== undefined) checkOrderId(options.merchantId, 'merchantId')
  const { baseUrl, names, apiKey } = means
  const headers = callHeaders(endpoint, options, means)
  const path = callPath(endpoint, options, means.merchantId)
  const record = readBody(call, options.body, means.merchantId)
  const body = withExtraFields(record, options.extraFields)
  const open = [decodeURIComponent(path), ...Object.values(headers.plain), jsonOf(body, record)]
  if (open.some((text) => holdsKey(text, apiKey)))
    throw new InvalidOptionError('An option other than apiKey contains the API key.', {
      field: 'apiKey',
      fix: 'Pass the API key only to createMerchantClient. Other values end up in logs and in front of customers.',
    })
  const store: CredentialStore = { secrets: new Set(), signedMessages: new Map() }
  for (const text of [...Object.values(headers.secret), apiKey, ...secretsIn(body, bodySecrets)])
    store.secrets.add(text)
  let used: string | undefined
  let sentAt: number | undefined
  let wasLost = false
  const repeatable = isRepeatable(policy, record)
  try {
    return await send(
      {
        method: endpoint.method,
        path,
        body,
        answer: 'answer' in call ? call.answer : looseAnswer(call.endpoint),
        repeatable,
        // `send` checks both
        signal: options.signal as AbortSignal | undefined,
        timeoutMs: options.timeoutMs as number | undefined,
        onSend: () => {
          sentAt = readClock(means.options.now)
        },
        onLost: () => {
          wasLost = true
        },
      },
      {
        options: means.options,
        url: baseUrl + path,
        headers: async (fresh) => {
          if (headers.sessionKey === undefined) return headers
          used = await readSessionKey(store, headers.sessionKey, fresh ? used : undefined)
          store.secrets.add(String(used))
          return { plain: headers.plain, secret: { ...headers.secret, [names.sessionKey]: String(used) } }
        },
        secrets: () => [...store.secrets],
        refreshable: typeof headers.sessionKey === 'function',
      },
    )
  } catch (error) {
    if (policy.mayLack && isServiceError(error) && error.code === 'NOT_FOUND') return null
    throw sentAt === undefined ? error : afterwards(error, { call, body: record, sentAt, wasLost })
  }
}

type Departed = {
  call: AnyCall
  body: unknown
  sentAt: number
  /** An earlier attempt may have succeeded. */
  wasLost: boolean
}

/** Returns the error to throw for a failure after the request was sent. */
function afterwards(cause: unknown, { call, body, sentAt, wasLost }: Departed): unknown {
  const { endpoint, policy } = call
  // The caller's clock, sleep or random function threw while the request was in flight.
  const error =
    cause instanceof BaseError
      ? cause
      : new BaseError('A function that you passed threw an error.', { cause })
  if (endpoint.id === 'sendGaslessTx') {
    if (error instanceof RequestAbortedError) return new RequestAbortedError({ sent: true })
    // the body was parsed as a SendGaslessTxBody before it was sent
    return new OutcomeUnknownError(error, body as SendGaslessTxBody)
  }
  const isDecided =
    error === cause && !wasLost && !isOutcomeUnknown(error) && !isConflict(error, { policy, body })
  if (policy.repeatable === true || isDecided) return cause
  if (policy.payment !== undefined)
    return new PaymentOutcomeUnknownError(error, { sentAt, lookUp: policy.payment })
  if (policy.lookUp === undefined) return error
  return new CallOutcomeUnknownError(endpoint.id, error, policy.lookUp, { wasLost })
}

/** True for no response, an invalid response, or a response that does not show what the service did. */
function isOutcomeUnknown(error: BaseError): boolean {
  return (
    error instanceof ServiceUnreachableError ||
    error instanceof ServiceTimeoutError ||
    error instanceof InvalidAnswerError ||
    (error instanceof RequestAbortedError && error.remedy === 'lookUp') ||
    (isServiceError(error) && error.remedy === 'tryAgain')
  )
}

/** Whether the service may still be processing a request with the same idempotency key. Services use various codes for this. */
function isConflict(error: BaseError, { policy, body }: { policy: CallPolicy; body: unknown }): boolean {
  return (
    isServiceError(error) &&
    error.name === 'UnknownServiceError' &&
    error.status === 409 &&
    isRepeatable(policy, body) === true
  )
}

function isRepeatable({ repeatable }: CallPolicy, body: unknown): boolean | 'never' {
  return typeof repeatable === 'boolean' || repeatable === 'never'
    ? repeatable
    : Reflect.get(Object(body), repeatable) !== undefined
}

/** Rejects unknown options, and headers that this call does not list. */
function checkNames(endpoint: AnyCall['endpoint'], options: Given): void {
  const names: string[] = [
    ...pathParameters(endpoint.path),
    ...headersOf(endpoint).filter((key) => key !== 'authorization'),
    ...(endpoint.query ? ['query'] : []),
    ...(endpoint.body ? ['body'] : []),
  ]
  const kinds = Object.fromEntries(names.map((name) => [name, 'any'] as const))
  const extra = endpoint.body && { extraFields: 'object?' as const }
  checkOptions(options, { ...kinds, ...extra, signal: 'object?', timeoutMs: 'any' }, '')
}

function readBody({ endpoint, policy }: AnyCall, value: unknown, merchantId: string): unknown {
  if (endpoint.body === undefined) return undefined
  const isObject = typeof value === 'object' && value !== null
  const given =
    policy.namesMerchant && isObject && Reflect.get(value, 'merchantId') === undefined
      ? { ...value, merchantId }
      : value
  const { id } = endpoint
  const fix =
    'Correct this field; the records are described in redeemkit/schema. Pass fields that only other services have as `extraFields`.'
  if (policy.body === 'checkout')
    return checkoutRecord(endpoint.body, given ?? {}, id, { field: 'body', fix }).body
  return parseRecord(endpoint.body, given ?? {}, {
    record: `The body of ${id}`,
    field: 'body',
    fix,
    hideValues: policy.body === 'private',
  })
}

/** An extra field may not replace a field of the body. */
function withExtraFields(body: unknown, extraFields: unknown): unknown {
  if (extraFields === undefined) return body
  for (const name of Object.keys(Object(extraFields)))
    if (Object.hasOwn(Object(body), name))
      throw new InvalidOptionError(`extraFields and the body both have ${showKey(name)}.`, {
        field: `extraFields.${showKey(name)}`,
        fix: 'Remove this field from extraFields, which can only add fields.',
      })
  return { ...Object(body), ...Object(extraFields) }
}

/** Only extra fields and the body of a described call can hold a value that is not JSON, such as a bigint. */
function jsonOf(body: unknown, record: unknown): string {
  try {
    return JSON.stringify(body) ?? ''
  } catch (cause) {
    const name = Object.keys(Object(body)).find((key) => !isJson(Reflect.get(Object(body), key)))
    const parent = Object.hasOwn(Object(record), name ?? '') ? 'body' : 'extraFields'
    throw new InvalidOptionError(`${parent} has a value that cannot be sent as JSON.`, {
      field: `${parent}.${showKey(name ?? '')}`,
      fix: 'Pass JSON values only. Write a bigint as text.',
      cause,
    })
  }
}

function isJson(value: unknown): boolean {
  try {
    JSON.stringify(value)
    return true
  } catch {
    return false
  }
}

const answers = new Map<Endpoint, ReturnType<typeof loose>>()

function looseAnswer(endpoint: Endpoint): ReturnType<typeof loose> {
  const known = answers.get(endpoint) ?? loose(endpoint.answer)
  answers.set(endpoint, known)
  return known
}

/**
 * A request that changes something was sent, and its outcome is unknown: no response arrived, or the response does not show what the
 * service did. `fix` says what to check before you repeat the call (PROTOCOL.md 7.3). Card payments throw
 * `PaymentOutcomeUnknownError` instead, and redeems `OutcomeUnknownError`.
 */
export class CallOutcomeUnknownError extends BaseError {
  override readonly name = 'CallOutcomeUnknownError'
  readonly remedy = 'lookUp' satisfies WireRemedy
  /** Name of the call. */
  readonly call: EndpointId | 'request'
  /** The call's error. Not a `cause`, because its own fix would be to repeat the call. */
  readonly failure: { name: string; status: number | undefined; requestId: string | undefined }

  constructor(call: EndpointId | 'request', error: BaseError, fix: string, { wasLost = false } = {}) {
    const earlier = wasLost ? ': an earlier attempt may have succeeded' : ''
    super(`The outcome of ${call} is unknown${earlier}. ${error.shortMessage}`, {
      fix,
      source: 'PROTOCOL.md 7.3',
    })
    this.call = call
    // only errors of a response have these two fields
    const { status, requestId }: { status?: number; requestId?: string } = error as never
    this.failure = { name: error.name, status, requestId }
  }
}

/** Fields of any body whose values errors and logs must not show: secrets of a checkout, card and account numbers, personal data. */
const bodySecrets: ReadonlySet<string> = new Set([
  ...secretFields,
  'number',
  'cardNumber',
  'cvv',
  'iban',
  'ssn',
  'tin',
  'permitCredits',
  'sessionKey',
])
