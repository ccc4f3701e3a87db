import { BaseError } from './baseError.ts'

/** The text or transaction is not a valid sign-in message of the chain, or must not be signed. */
export class InvalidAuthMessageError extends BaseError {
  override readonly name = 'InvalidAuthMessageError'
}

/** The account, site or chain of a sign-in message differs from the expected value. */
export class AuthMessageMismatchError extends BaseError {
  override readonly name = 'AuthMessageMismatchError'
}

/** The sign-in message has expired or is not yet valid. */
export class AuthMessageExpiredError extends BaseError {
  override readonly name = 'AuthMessageExpiredError'
}

/** The text has an unknown format, which only `allowPlainText` permits. */
export class PlainTextNotAllowedError extends BaseError {
  override readonly name = 'PlainTextNotAllowedError'
}
