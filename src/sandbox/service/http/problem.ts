import { HttpRequestError, BaseError as RpcBaseError, RpcRequestError, TimeoutError } from 'viem'
import { InvalidAmountError } from '../../../redeemkit/core/amount.ts'
import { UnsupportedBlockchainError } from '../../../redeemkit/core/blockchains.ts'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { InvalidAddressError, InvalidRecordError } from '../../../redeemkit/core/errors/inputErrors.ts'
import { type WireErrorCode, wireErrors } from '../../../redeemkit/core/errors/wireErrors.ts'
import { InvalidJsonError, UnsafeJsonNumberError } from '../../../redeemkit/core/parseJson.ts'
import { passesLuhn } from '../../../redeemkit/core/passesLuhn.ts'
import { ChainReadError } from '../../../redeemkit/evm/client.ts'
import { ChainConnectionError } from '../../chains/anvil/connectPipe.ts'
import { TransactionTooLarge } from '../../relayer/journalTransaction.ts'
import { DatabaseStatementError, DatabaseUnavailableError } from '../../store/databaseOf.ts'

/** Creates an error response. The service sends `message` unchanged. */
export function problem(code: WireErrorCode, message: string, options: problem.Options = {}): ServiceProblem {
  return new ServiceProblem(code, message, options)
}

export declare namespace problem {
  type Options = {
    /** Paths of the invalid fields, for a 400 response. */
    issues?: readonly string[] | undefined
    /** Additional facts of this error code, as JSON values. */
    details?: Record<string, unknown> | undefined
    retryAfterSeconds?: number | undefined
    /** Not sent. */
    cause?: unknown
  }
}

/** Creates a 400 for one field, given by its path in the body or by the name of a header. */
export function invalid(field: string, message: string, cause?: unknown): ServiceProblem {
  return problem('INVALID_REQUEST', message, { issues: [field], cause })
}

export class ServiceProblem extends BaseError {
  override readonly name = 'ServiceProblem'
  readonly code: WireErrorCode
  readonly status: number
  readonly issues: readonly string[] | undefined
  readonly details: Record<string, unknown> | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: WireErrorCode, message: string, options: problem.Options) {
    super(message, { cause: options.cause, field: options.issues?.[0] })
    this.code = code
    this.status = wireErrors[code].status
    this.issues = options.issues
    this.details = options.details
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

/** Unexpected errors become `INTERNAL`, because stacks and messages of libraries may contain keys or URLs. */
export function describeError(error: unknown): Description {
  if (error instanceof ServiceProblem)
    return {
      code: error.code,
      message: error.shortMessage,
      issues: error.issues,
      details: error.details,
    }
  if (error instanceof InvalidRecordError)
    return {
      code: 'INVALID_REQUEST',
      message: error.shortMessage,
      issues: error.issues.map((issue) => issue.path || 'body').slice(0, 50),
    }
  if (isBadInput(error))
    return {
      code: 'INVALID_REQUEST',
      message: error.fix === undefined ? error.shortMessage : `${error.shortMessage} ${error.fix}`,
      issues: [error.field ?? 'body'],
    }
  if (error instanceof DatabaseUnavailableError)
    return { code: 'UNAVAILABLE', message: 'The database is currently unavailable.' }
  if (error instanceof TransactionTooLarge) return { code: 'PAYLOAD_TOO_LARGE', message: error.message }
  if (isTooLong(error))
    return {
      code: 'INVALID_REQUEST',
      message: 'A text in the request is too long to store.',
      issues: ['body'],
    }
  if (isUnreachable(error))
    return { code: 'UNAVAILABLE', message: 'The blockchain node is currently unavailable.' }
  return { code: 'INTERNAL', message: 'Internal error. Find it in the log by the request id.' }
}

export type Description = {
  code: WireErrorCode
  message: string
  issues?: readonly string[] | undefined
  details?: Record<string, unknown> | undefined
}

function isBadInput(error: unknown): error is BaseError {
  return (
    error instanceof InvalidJsonError ||
    error instanceof UnsafeJsonNumberError ||
    error instanceof InvalidAmountError ||
    error instanceof InvalidAddressError ||
    error instanceof UnsupportedBlockchainError
  )
}

/** Whether the error is PostgreSQL's `program_limit_exceeded`: an indexed text is too long for its index. */
function isTooLong(error: unknown): boolean {
  return error instanceof DatabaseStatementError && Reflect.get(Object(error.cause), 'code') === '54000'
}

/** Whether a node could not be reached, over HTTP or through a local chain's socket. */
function isUnreachable(error: unknown): boolean {
  return (
    hasTimedOut(error) ||
    isOrHas(error, (one) => one instanceof ChainReadError || one instanceof HttpRequestError) ||
    // Anvil's errors if the origin of a fork fails.
    isOrHas(error, (one) => one instanceof RpcRequestError && /failed to get [a-z ]+ for /.test(one.details))
  )
}

/** Whether a node did not respond in time. Asking it again in the same request would double the wait. */
export function hasTimedOut(error: unknown): boolean {
  return (
    isOrHas(error, (one) => one instanceof TimeoutError || one instanceof ChainConnectionError) ||
    // Anvil's error if the origin of a fork does not respond. Code 3 is a revert, whose text a contract chooses.
    isOrHas(
      error,
      (one) =>
        one instanceof RpcRequestError && one.code !== 3 && /error sending request for url/.test(one.details),
    )
  )
}

/** Whether `isTrue` is true for an error or, for one of viem's errors, for a cause. */
function isOrHas(error: unknown, isTrue: (one: unknown) => boolean): boolean {
  return isTrue(error) || (error instanceof RpcBaseError && error.walk(isTrue) !== null)
}

/** Keeps card numbers out of responses and logs, wherever the client put them (PROTOCOL.md 10.3). Drops messages of other libraries. */
export function withoutCardNumbers(error: unknown): unknown {
  if (!(error instanceof BaseError)) return error
  const { code, message, issues, details } = describeError(error)
  if (![error.message, message, ...(issues ?? []), ...textsOf(details)].some((text) => hidden(text) !== text))
    return error
  // Omits the cause, which quotes the same text.
  return problem(code, hidden(message), {
    issues: issues?.map(hidden),
    details: details && mapValues(details),
  })
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}

function hiddenIn(value: unknown): unknown {
  if (typeof value === 'string') return hidden(value)
  if (Array.isArray(value)) return value.map(hiddenIn)
  return typeof value === 'object' && value !== null ? mapValues(value) : value
}

function mapValues(record: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, hiddenIn(value)]))
}

/**
 * Matches card numbers. Ids, addresses, hashes, order keys and revert texts match first and are kept, because some contain a valid card
 * number by chance.
 */
const numbers =
  /(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|0x(?:[0-9a-f]{8}(?:[0-9a-f]{64})+|[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{24}))(?![0-9a-f])|\d(?:[ -]?\d){12,18}/gi

function hidden(text: string): string {
  return text.replace(numbers, (found) =>
    /^[\d -]+$/.test(found) && passesLuhn(found.replace(/[ -]/g, '')) ? '[card number]' : found,
  )
}
