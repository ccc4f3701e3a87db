import type { CredentialStore } from '../../api/credentialStore.ts'
import {
  InvalidAnswerError,
  OutcomeUnknownError,
  RequestAbortedError,
  ServiceTimeoutError,
  ServiceUnreachableError,
} from '../../api/errors.ts'
import { send } from '../../api/send.ts'
import { isServiceError } from '../../api/serviceError.ts'
import { readSessionKey } from '../../api/sessionKey.ts'
import { checkOptions } from '../../core/checkOptions.ts'
import { BaseError } from '../../core/errors/baseError.ts'
import { InvalidOptionError, InvalidRecordError } from '../../core/errors/inputErrors.ts'
import type { HeaderNames } from '../../core/headerNames.ts'
import type { Endpoint } from '../../schema/endpoints/endpoint.ts'
import { loose } from '../../schema/loose.ts'
import { parseRecord } from '../../schema/parseRecord.ts'
import type { SendGaslessTxBody } from '../../schema/sendGaslessTxBody.ts'
import { holdsKey } from './apiKey.ts'
import { bodySecrets } from './bodySecrets.ts'
import { callHeaders, headersOf } from './callHeaders.ts'
import { callPath, pathParameters } from './callPath.ts'
import type { CallPolicy } from './calls.ts'
import type { EndpointId } from './callTypes.ts'

/** What every call of a client is made with. */
export type Means = {
  /** Without `/api` and slashes at its end. */
  baseUrl: string
  merchantId: string
  apiKey: string
  names: HeaderNames
  /** How calls are sent. */
  options: Parameters<typeof send>[1]['options']
}

export type OneCall = { endpoint: Endpoint & { id: EndpointId }; policy: CallPolicy }

type Given = Readonly<Record<string, unknown>>

/**
 * Makes one call of the table: its rules first, then the request, then the answer by its schema. Whatever breaks a rule is told before
 * anything is sent.
 *
 * @throws {@link CallOutcomeUnknownError} when a call that makes something has left, may not be sent again, and nobody knows
 * whether it was done
 */
export async function callService(means: Means, call: OneCall, options: Given = {}): Promise<unknown> {
  const { endpoint, policy } = call
  checkNames(endpoint, options)
  const { baseUrl, names, apiKey } = means
  const headers = callHeaders(endpoint, options, means)
  const path = callPath(endpoint, options, means.merchantId)
  if (holdsKey(decodeURIComponent(path), apiKey))
    throw new InvalidOptionError('The API key was given in the place of a parameter.', {
      field: 'apiKey',
      fix: 'Give the id that this parameter is: a key in an address ends up in logs.',
    })
  const body = readBody(call, options.body, means.merchantId)
  const store: CredentialStore = { secrets: new Set(), signedMessages: new Map() }
  for (const text of [...Object.values(headers.secret), apiKey, ...bodySecrets(body)]) store.secrets.add(text)
  let used: string | undefined
  let left = false
  const repeatable = isRepeatable(policy, body)
  try {
    return await send(
      {
        method: endpoint.method,
        path,
        body,
        answer: looseAnswer(endpoint),
        repeatable,
        // Checked by whoever uses them: a signal as any object, a time as a whole number.
        signal: options.signal as AbortSignal | undefined,
        timeoutMs: options.timeoutMs as number | undefined,
        onSend: () => {
          left = true
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
    throw left ? afterwards(error, { call, body, repeatable }) : error
  }
}

/** What a failure means once a request has left. */
function afterwards(
  error: unknown,
  { call, body, repeatable }: { call: OneCall; body: unknown; repeatable: boolean },
): unknown {
  const { endpoint, policy } = call
  if (endpoint.id === 'sendGaslessTx') {
    if (error instanceof RequestAbortedError) return new RequestAbortedError({ sent: true })
    // Taken as that record before it was sent.
    return error instanceof BaseError ? new OutcomeUnknownError(error, body as SendGaslessTxBody) : error
  }
  return policy.lookUp !== undefined && !repeatable && isOutcomeUnknown(error)
    ? new CallOutcomeUnknownError(endpoint.id, { cause: error, fix: policy.lookUp })
    : error
}

/** Whether nobody knows what became of a call: no answer, none that makes sense, or one that decided nothing. */
function isOutcomeUnknown(error: unknown): error is BaseError {
  return (
    error instanceof ServiceUnreachableError ||
    error instanceof ServiceTimeoutError ||
    error instanceof InvalidAnswerError ||
    (isServiceError(error) && error.remedy === 'tryAgain')
  )
}

function isRepeatable({ repeatable }: CallPolicy, body: unknown): boolean {
  return typeof repeatable === 'boolean'
    ? repeatable
    : typeof body === 'object' && body !== null && Reflect.get(body, repeatable) !== undefined
}

/** Refuses what the call does not take: a misspelt name, or a header that belongs to another call. */
function checkNames(endpoint: Endpoint, options: Given): void {
  const names: string[] = [
    ...pathParameters(endpoint.path),
    ...headersOf(endpoint).filter((key) => key !== 'authorization'),
    ...(endpoint.query ? ['query'] : []),
    ...(endpoint.body ? ['body'] : []),
  ]
  const kinds = Object.fromEntries(names.map((name) => [name, 'any'] as const))
  checkOptions(options, { ...kinds, signal: 'object?', timeoutMs: 'any' }, '')
}

function readBody({ endpoint, policy }: OneCall, value: unknown, merchantId: string): unknown {
  if (endpoint.body === undefined) return undefined
  const isRecord = typeof value === 'object' && value !== null
  const given =
    policy.namesMerchant && isRecord && Reflect.get(value, 'merchantId') === undefined
      ? { ...value, merchantId }
      : value
  try {
    return parseRecord(endpoint.body, given ?? {}, { record: `The body of ${endpoint.id}`, field: 'body' })
  } catch (error) {
    throw policy.isPrivate && error instanceof InvalidRecordError ? withoutValues(error, endpoint.id) : error
  }
}

/** The same error, which names fields and shows none of their values. */
function withoutValues({ field, issues }: InvalidRecordError, id: string): InvalidRecordError {
  return new InvalidRecordError(
    `The body of ${id} is not what it must be: ${field ?? 'the body'} cannot be used.`,
    {
      field,
      fix: 'Correct this field; the records are described in redeemkit/schema.',
      issues: issues.map(({ path }) => ({ path, message: 'cannot be used' })),
    },
  )
}

const answers = new Map<Endpoint, ReturnType<typeof loose>>()

function looseAnswer(endpoint: Endpoint): ReturnType<typeof loose> {
  const known = answers.get(endpoint) ?? loose(endpoint.answer)
  answers.set(endpoint, known)
  return known
}

/**
 * A call that makes something, such as a payment, has left, and nobody knows whether it was done: no answer came, or one that decided
 * nothing. `fix` says where to look before it is made again; `cause` says what was answered.
 */
export class CallOutcomeUnknownError extends BaseError {
  override readonly name = 'CallOutcomeUnknownError'
  readonly remedy = 'lookUp'
  /** What the call ended with. */
  declare readonly cause: BaseError
  /** Name of the call. */
  readonly call: EndpointId

  constructor(call: EndpointId, { cause, fix }: { cause: BaseError; fix: string }) {
    super(`It is not known whether ${call} was done. ${cause.shortMessage}`, {
      cause,
      fix,
      docs: 'PROTOCOL.md 7.3',
    })
    this.call = call
  }
}
