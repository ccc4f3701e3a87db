import type { Context } from 'hono'
import { wireErrors } from '../../../redeemkit/core/errors/wireErrors.ts'
import type { ErrorBody } from '../../../redeemkit/schema/errorBody.ts'
import type { ServiceKind } from '../../serviceKind.ts'
import { pulledTooMuch } from '../redeem/simulationProblem.ts'
import { type Description, describeError } from './describeError.ts'
import { ServiceProblem } from './problem.ts'
import type { AppEnv } from './route.ts'

/**
 * The JSON answer for whatever a handler threw: `{ name, message, code, details?, issues?, requestId }`; of an unbound
 * service `{ message, details }` with the words in `details` (PROTOCOL.md 4.6).
 *
 * What is not foreseen is a bare 500: no stack, no words of other libraries, which may quote a key or a URL.
 */
export function answerError(context: Context<AppEnv>, error: unknown, kind: ServiceKind): Response {
  const { code, message, issues, details } = describeError(error)
  context.set('code', code)
  const { status, name } = wireErrors[code]
  const body: ErrorBody | FieldErrorBody =
    kind === 'unbound'
      ? fieldErrorBody({ code, message, details })
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

/** As services in the field answer (PROTOCOL.md 4.6 and 7.1). */
type FieldErrorBody = { message?: string; details?: string } & Record<string, unknown>

/** The facts that a client cannot go on without stand beside the words. */
function fieldErrorBody({ code, message, details }: Description): FieldErrorBody {
  const words = {
    message: 'Error Processing your request',
    details: details?.revertReason === pulledTooMuch ? pulledTooMuch : message,
  }
  if (code === 'CHALLENGE_REQUIRED') return { ...words, creq: '', ...details }
  if (code === 'VERIFICATION_REQUIRED') return { ...words, ...details }
  if (code === 'PAYMENT_METHOD_IN_USE') return { ...words, code }
  return details?.paymentId === undefined ? words : { ...words, paymentId: details.paymentId }
}
