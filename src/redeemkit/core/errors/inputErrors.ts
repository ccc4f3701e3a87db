import { BaseError } from './baseError.ts'

/** A missing option, or one with a wrong type or value. */
export class InvalidOptionError extends BaseError {
  override readonly name = 'InvalidOptionError'
}

/** An invalid address, or one that is not allowed here. */
export class InvalidAddressError extends BaseError {
  override readonly name = 'InvalidAddressError'
}

/** An invalid amount. */
export class InvalidAmountError extends BaseError {
  override readonly name = 'InvalidAmountError'
}

/** Bytes that cannot be a signature. */
export class InvalidSignatureError extends BaseError {
  override readonly name = 'InvalidSignatureError'
}

/** Text that is not canonical base64. */
export class InvalidBase64Error extends BaseError {
  override readonly name = 'InvalidBase64Error'
}

/** Bytes or text that are not one complete transaction of the chain. */
export class InvalidTransactionError extends BaseError {
  override readonly name = 'InvalidTransactionError'
}

/** A network that the service does not support. */
export class UnknownNetworkError extends BaseError {
  override readonly name = 'UnknownNetworkError'
}

/** One issue of a record. */
export type RecordIssue = {
  /** Path of the field: `signedMessages.permitCredits`, `chargebackProtectionData[0].quantity`; empty for the value itself. */
  path: string
  /** What was expected, with the offending value, shortened. */
  message: string
}

/** A value that does not match its record. `field` is the path of the first issue. */
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
