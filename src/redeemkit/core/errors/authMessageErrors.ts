import { BaseError } from './baseError.ts'

/** A text or transaction that is not a sign-in message of the chain, or must not be signed. */
export class InvalidAuthMessageError extends BaseError {
  override readonly name = 'InvalidAuthMessageError'
}

/** The account, site or chain of a sign-in message is not the expected one. */
export class AuthMessageMismatchError extends BaseError {
  override readonly name = 'AuthMessageMismatchError'
}

/** A sign-in message that is expired or not yet valid. */
export class AuthMessageExpiredError extends BaseError {
  override readonly name = 'AuthMessageExpiredError'
}

/** A sign-in text in an unknown format, which only `allowPlainText` permits. */
export class PlainTextNotAllowedError extends BaseError {
  override readonly name = 'PlainTextNotAllowedError'
}
