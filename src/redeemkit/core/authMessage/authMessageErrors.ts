import { BaseError } from '../errors/baseError.ts'

/** A text or transaction that is no sign-in message of the chain, or one that must not be signed. */
export class InvalidAuthMessageError extends BaseError {
  override readonly name = 'InvalidAuthMessageError'
}

/** A sign-in message for another account, site or chain than the expected one. */
export class AuthMessageMismatchError extends BaseError {
  override readonly name = 'AuthMessageMismatchError'
}

/** A sign-in message outside of its time. */
export class AuthMessageExpiredError extends BaseError {
  override readonly name = 'AuthMessageExpiredError'
}

/** A sign-in text of no known format, which only `allowPlainText` lets through. */
export class PlainTextNotAllowedError extends BaseError {
  override readonly name = 'PlainTextNotAllowedError'
}
