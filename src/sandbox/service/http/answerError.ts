import type { Context } from 'hono'
import { HttpRequestError, BaseError as RpcBaseError, TimeoutError } from 'viem'
import { InvalidAmountError } from '../../../core/amount/parseAmount.ts'
import { UnsupportedBlockchainError } from '../../../core/blockchains.ts'
import type { BaseError } from '../../../core/errors/baseError.ts'
import { InvalidAddressError, InvalidRecordError } from '../../../core/errors/inputErrors.ts'
import { type WireErrorCode, wireErrors } from '../../../core/errors/wireErrors.ts'
import { InvalidJsonError, UnsafeJsonNumberError } from '../../../core/json/parseJson.ts'
import { ChainReadError } from '../../../evm/client/chainReadError.ts'
import type { ErrorBody } from '../../../schema/errorBody.ts'
import type { ServiceKind } from '../../serviceKind.ts'
import { DatabaseUnavailableError } from '../../store/errors.ts'
import { pulledTooMuch } from '../redeem/simulationProblem.ts'
import { ServiceProblem } from './problem.ts'
import type { AppEnv } from './route.ts'

/**
 * The JSON answer for whatever a handler threw: `{ name, message, code, details?, issues?, requestId }`; of an unbound
 * service `{ message, details }` with the words in `details` (PROTOCOL.md 4.6).
 *
 * What is not foreseen is a bare 500: no stack, no words of other libraries, which may quote a key or a URL.
 */
export function answerError(context: Context<AppEnv>, error: unknown, kind: ServiceKind): Response {
  const { code, message, issues, details } = describe(error)
  context.set('code', code)
  const { status, name } = wireErrors[code]
  const body: ErrorBody | FieldErrorBody =
    kind === 'unbound'
      ? {
          message: 'Error Processing your request',
          details: details?.revertReason === pulledTooMuch ? pulledTooMuch : message,
          // What the user is sent to stands beside the words.
          ...(code === 'VERIFICATION_REQUIRED' && details),
        }
      : {
          name,
          message,
          code,
          ...(details === undefined ? {} : { details }),
          ...(issues === undefined ? {} : { issues: [...issues] }),
          requestId: context.get('requestId'),
        }
  const headers = new Headers({ 'content-type': 'application/json' })
  if (error instanceof ServiceProblem && error.retryAfterSeconds !== undefined)
    headers.set('retry-after', String(error.retryAfterSeconds))
  // The rest of the body is not read, so the connection ends here; without this word a client would use it again.
  if (code === 'PAYLOAD_TOO_LARGE') headers.set('connection', 'close')
  return new Response(JSON.stringify(body), { status, headers })
}

/** As services in the field answer (PROTOCOL.md 7.1). */
type FieldErrorBody = { message: string; details: string }

type Description = {
  code: WireErrorCode
  message: string
  issues?: readonly string[] | undefined
  details?: Record<string, unknown> | undefined
}

function describe(error: unknown): Description {
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
  if (isUnreachable(error))
    return { code: 'UNAVAILABLE', message: 'The blockchain does not answer at the moment.' }
  return { code: 'INTERNAL', message: 'The service failed. The request id finds it in the log.' }
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

function isUnreachable(error: unknown): boolean {
  if (error instanceof ChainReadError) return true
  if (!(error instanceof RpcBaseError)) return false
  return error.walk((cause) => cause instanceof HttpRequestError || cause instanceof TimeoutError) !== null
}
