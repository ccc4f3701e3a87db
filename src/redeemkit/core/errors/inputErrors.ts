import { BaseError } from './baseError.ts'

/** An option is missing, unknown, or has a wrong type or value. */
export class InvalidOptionError extends BaseError {
  override readonly name = 'InvalidOptionError'
}

/** The address is invalid, or not allowed here. */
export class InvalidAddressError extends BaseError {
  override readonly name = 'InvalidAddressError'
}

/** The amount is invalid. */
export class InvalidAmountError extends BaseError {
  override readonly name = 'InvalidAmountError'
}

/** The bytes cannot be a signature. */
export class InvalidSignatureError extends BaseError {
  override readonly name = 'InvalidSignatureError'
}

/** The text is not canonical base64. */
export class InvalidBase64Error extends BaseError {
  override readonly name = 'InvalidBase64Error'
}

/** The bytes or text are not one complete transaction of the chain. */
export class InvalidTransactionError extends BaseError {
  override readonly name = 'InvalidTransactionError'
}

/** The service does not support the network. */
export class UnknownNetworkError extends BaseError {
  override readonly name = 'UnknownNetworkError'
}

/** One issue of a record. */
export type RecordIssue = {
  /** Path of the field: `signedMessages.permitCredits`, `chargebackProtectionData[0].quantity`; empty for the record itself. */
  path: string
  /** What was expected, and the offending value, shortened. */
  message: string
}

/** The value does not match its record's schema. `field` is the path of the first issue. */
export class InvalidRecordError extends BaseError {
  override readonly name = 'InvalidRecordError'
  /** All issues, in the order of the record's fields. Empty if the value could not be read at all. */
  readonly issues: readonly RecordIssue[]

  constructor(
    shortMessage: string,
    options: BaseError.Options & { issues?: readonly RecordIssue[] | undefined } = {},
  ) {
    super(shortMessage, options)
    this.issues = options.issues ?? []
  }
}
