import { BaseError } from '../core/errors/baseError.ts'
import { showText } from '../core/errors/showText.ts'
import type { WireErrorCode, WireRemedy, wireErrors } from '../core/errors/wireErrors.ts'

/** Whether `error` is an error answer of the service: then `switch (error.name)` narrows it. */
export function isServiceError(error: unknown): error is ServiceError {
  return error instanceof ServiceErrorBase
}

/** What every error answer has; `readServiceError` makes them. */
export class ServiceErrorBase extends BaseError {
  declare readonly name: string
  /** Code of the table `wireErrors`; the service's own (`[A-Z0-9_]`) or `HTTP_<status>` when the table does not have it. */
  declare readonly code: string
  /** HTTP status. */
  declare readonly status: number
  /** What a client does about it. */
  declare readonly remedy: WireRemedy
  /** What the service added, without credentials, each text on one line. */
  declare readonly details: unknown
  /** Paths of the fields at fault, for a 400. */
  declare readonly issues: readonly string[]
  /** Names this answer in the service's own records. */
  declare readonly requestId: string | undefined
  /** How long to wait, when the service said so. */
  declare readonly retryAfterMs: number | undefined
  /** Why the simulation failed (`SIMULATION_FAILED`). */
  declare readonly revertReason: string | undefined
  /** The bytes behind it: `decodeRevert` of redeemkit/evm reads them with your contract's ABI. */
  declare readonly revertData: `0x${string}` | undefined
  /** The 3DS challenge (`CHALLENGE_REQUIRED`). */
  declare readonly challenge: Challenge | undefined
  /** The payment that it is about: a decline, a challenge or a state of one. By it the payment is looked up. */
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
    // A path stands as it is; anything else is shown as what it is, the service's text.
    const field = issue === undefined || /^[\w$.[\]-]+$/.test(issue) ? issue : showText(issue)
    super(shortMessage, { field, fix, docs: 'PROTOCOL.md 7.2' })
    Object.assign(this, fields)
  }
}

/**
 * An answer 451: the user has to be verified before the call can go through (PROTOCOL.md 2.9 and 7.2). A service error as the
 * others, of the name `VerificationRequiredError`, with what they have and two links, http or https only.
 */
export class VerificationError extends ServiceErrorBase {
  /** The name on the wire, which the table `wireErrors` has. */
  declare readonly name: 'VerificationRequiredError'
  declare readonly code: 'VERIFICATION_REQUIRED'
  declare readonly remedy: 'verify'
  /** Where the user must go first. Undefined when the service named none, or none that a user may be sent to. */
  declare readonly verificationLink: string | undefined
  /** Where the user goes afterwards. */
  declare readonly redirectLink: string | undefined
  /** Why the last attempt was rejected, in the service's words. */
  declare readonly rejectionReasons: readonly string[]
}

/** What a 451 says besides. */
export type Links = Pick<VerificationError, 'verificationLink' | 'redirectLink' | 'rejectionReasons'>

/** A 3DS challenge: `creq` is posted to `url` as a form's field where it is given, else `url` is opened. */
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

/** An answer with an error status whose code and status are not in the table. */
export type UnknownServiceError = ServiceErrorBase & { readonly name: 'UnknownServiceError' }

/**
 * An error answer of the service (PROTOCOL.md 7.2): one member for each row of the table `wireErrors`, told apart by
 * `name` or `code`, and `UnknownServiceError` for what the table does not have.
 */
export type ServiceError = Known | UnknownServiceError
