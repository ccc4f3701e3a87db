import { HttpRequestError, BaseError as RpcBaseError, TimeoutError } from 'viem'
import { InvalidAmountError } from '../../../redeemkit/core/amount/parseAmount.ts'
import { UnsupportedBlockchainError } from '../../../redeemkit/core/blockchains.ts'
import type { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { InvalidAddressError, InvalidRecordError } from '../../../redeemkit/core/errors/inputErrors.ts'
import type { WireErrorCode } from '../../../redeemkit/core/errors/wireErrors.ts'
import { InvalidJsonError, UnsafeJsonNumberError } from '../../../redeemkit/core/json/parseJson.ts'
import { ChainReadError } from '../../../redeemkit/evm/client.ts'
import { ChainConnectionError } from '../../chains/anvil/connectPipe.ts'
import { DatabaseStatementError, DatabaseUnavailableError } from '../../store/errors.ts'
import { ServiceProblem } from './problem.ts'

/**
 * The code and the words for whatever a handler threw. What is not foreseen is `INTERNAL`: no stack, no words of other libraries,
 * which may quote a key or a URL.
 */
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
    return { code: 'UNAVAILABLE', message: 'The database does not answer at the moment.' }
  if (isTooLong(error))
    return {
      code: 'INVALID_REQUEST',
      message: 'A text of the request is longer than the service can keep.',
      issues: ['body'],
    }
  if (isUnreachable(error))
    return { code: 'UNAVAILABLE', message: 'The blockchain does not answer at the moment.' }
  return { code: 'INTERNAL', message: 'The service failed. The request id finds it in the log.' }
}

/** What is told of an error: its code and words of our own layers. */
export type Description = {
  code: WireErrorCode
  message: string
  issues?: readonly string[] | undefined
  details?: Record<string, unknown> | undefined
}

/** Errors of our own layers which mean that the request is wrong. */
function isBadInput(error: unknown): error is BaseError {
  return (
    error instanceof InvalidJsonError ||
    error instanceof UnsafeJsonNumberError ||
    error instanceof InvalidAmountError ||
    error instanceof InvalidAddressError ||
    error instanceof UnsupportedBlockchainError
  )
}

/** PostgreSQL's `program_limit_exceeded`: a text that is looked up by has more bytes than an index takes. */
function isTooLong(error: unknown): boolean {
  return error instanceof DatabaseStatementError && Reflect.get(Object(error.cause), 'code') === '54000'
}

function isUnreachable(error: unknown): boolean {
  if (isOfNode(error)) return true
  return error instanceof RpcBaseError && error.walk(isOfNode) !== null
}

/** Says that a node could not be asked: over HTTP, or a chain of this machine over its socket. */
function isOfNode(error: unknown): boolean {
  return [ChainReadError, ChainConnectionError, HttpRequestError, TimeoutError].some(
    (kind) => error instanceof kind,
  )
}
