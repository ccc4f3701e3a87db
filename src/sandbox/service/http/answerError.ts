import type { Context } from 'hono'
import { wireErrors } from '../../../redeemkit/core/errors/wireErrors.ts'
import type { ErrorBody } from '../../../redeemkit/schema/errorBody.ts'
import type { ServiceKind } from '../../serviceKind.ts'
import { pulledTooMuch } from '../redeem/simulationProblem.ts'
import { type Description, describeError, ServiceProblem } from './problem.ts'
import type { AppEnv } from './route.ts'

/**
 * Turns a thrown error into the JSON response `{ name, message, code, details?, issues?, requestId }`; services without
 * intent-bound permits use `{ message, details }` with the text in `details` (PROTOCOL.md 4.6).
 *
 * Unexpected errors become a plain 500: stacks and messages of libraries may contain keys or URLs.
 */
export function answerError(context: Context<AppEnv>, error: unknown, kind: ServiceKind): Response {
  const { code, message, issues, details } = describeError(error)
  context.set('code', code)
  const { status, name } = wireErrors[code]
  const body: ErrorBody | FieldErrorBody =
    kind === 'randomNonce'
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
  // The body is not read to its end, so the connection must close; otherwise a client would reuse it.
  if (code === 'PAYLOAD_TOO_LARGE') headers.set('connection', 'close')
  return new Response(JSON.stringify(body), { status, headers })
}

/** The format of deployed services (PROTOCOL.md 4.6 and 7.1). */
type FieldErrorBody = { message?: string; details?: string } & Record<string, unknown>

/** Facts that a client needs to continue are top-level fields beside the text. */
function fieldErrorBody({ code, message, details }: Description): FieldErrorBody {
  const text = {
    message: 'Error Processing your request',
    details: details?.revertReason === pulledTooMuch ? pulledTooMuch : message,
  }
  if (code === 'CHALLENGE_REQUIRED') return { ...text, creq: '', ...details }
  if (code === 'VERIFICATION_REQUIRED') return { ...text, ...details }
  if (code === 'PAYMENT_METHOD_IN_USE') return { ...text, code }
  return details?.paymentId === undefined ? text : { ...text, paymentId: details.paymentId }
}
