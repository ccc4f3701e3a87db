import { BaseError } from '../core/errors/baseError.ts'
import { showText } from '../core/errors/showValue.ts'
import type { WireErrorCode, WireRemedy, wireErrors } from '../core/errors/wireErrors.ts'

/** Whether `error` is an error response of the service. `switch (error.name)` then narrows it. */
export function isServiceError(error: unknown): error is ServiceError {
  return error instanceof ServiceErrorBase
}

/** The fields of every error response. `readServiceError` creates its instances. */
export class ServiceErrorBase extends BaseError {
  declare readonly name: string
  /** A code of `wireErrors`; otherwise the service's own code (`[A-Z0-9_]`) or `HTTP_<status>`. */
  declare readonly code: string
  /** HTTP status. */
  declare readonly status: number
  /** What the client should do next. */
  declare readonly remedy: WireRemedy
  /** Details from the service, without credentials, each text on one line. */
  declare readonly details: unknown
  /** Paths of the invalid fields, for a 400. */
  declare readonly issues: readonly string[]
  /** Identifies this response in the service's log. */
  declare readonly requestId: string | undefined
  /** How long to wait, if the service said so. */
  declare readonly retryAfterMs: number | undefined
  /** Why the simulation failed (`SIMULATION_FAILED`). */
  declare readonly revertReason: string | undefined
  /** The revert data. Decode it with `decodeRevert` of redeemkit/evm and your contract's ABI. */
  declare readonly revertData: `0x${string}` | undefined
  /** The 3DS challenge (`CHALLENGE_REQUIRED`). */
  declare readonly challenge: Challenge | undefined
  /** The id of the payment, for declines, challenges and state errors. Use it to look up the payment. */
  declare readonly paymentId: string | undefined
  /** The transaction that paid the order, as the service reports it (`ORDER_ALREADY_PAID`). */
  declare readonly hash: `0x${string}` | undefined
  /** The nonce that paid the order, as the service reports it (`ORDER_ALREADY_PAID`). */
  declare readonly nonce: `0x${string}` | undefined

  constructor(
    shortMessage: string,
    fix: string,
    fields: Omit<ServiceErrorBase, keyof BaseError> & { name: string } & Partial<Links>,
  ) {
    const [issue] = fields.issues
    // a path is shown unchanged, any other text quoted
    const field = issue === undefined || /^[\w$.[\]-]+$/.test(issue) ? issue : showText(issue)
    super(shortMessage, { field, fix, source: 'PROTOCOL.md 7.2' })
    Object.assign(this, fields)
  }
}

/**
 * A 451: the user must be verified first (PROTOCOL.md 2.9 and 7.2). Its `name` is `VerificationRequiredError`. The two links are http
 * or https.
 */
export class VerificationError extends ServiceErrorBase {
  /** The name in `wireErrors`. */
  declare readonly name: 'VerificationRequiredError'
  declare readonly code: 'VERIFICATION_REQUIRED'
  declare readonly remedy: 'verify'
  /** The verification URL. Undefined if the service sent none, or an unsafe one. */
  declare readonly verificationLink: string | undefined
  /** Where to send the user afterwards. */
  declare readonly redirectLink: string | undefined
  /** Why the last attempt was rejected, as the service wrote it. */
  declare readonly rejectionReasons: readonly string[]
}

/** The additional fields of a 451. */
export type Links = Pick<VerificationError, 'verificationLink' | 'redirectLink' | 'rejectionReasons'>

/** A 3DS challenge: open `url` or, if there is a `creq`, post it to `url` as a form field. */
type Challenge = {
  transactionId: string | undefined
  url: string | undefined
  creq: string | undefined
}

type Rows = typeof wireErrors

type Known = {
  [code in WireErrorCode]: (code extends 'VERIFICATION_REQUIRED' ? VerificationError : ServiceErrorBase) & {
    readonly name: Rows[code]['name']
    readonly code: code
    readonly status: number
    readonly remedy: Rows[code]['remedy']
  }
}[WireErrorCode]

/** An error response with an unknown code and status. */
export type UnknownServiceError = ServiceErrorBase & { readonly name: 'UnknownServiceError' }

/**
 * An error response of the service (PROTOCOL.md 7.2): one member for each row of `wireErrors`, distinguished by `name` or `code`, and
 * `UnknownServiceError` for all other responses.
 */
export type ServiceError = Known | UnknownServiceError
