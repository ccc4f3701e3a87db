import { BaseError } from './baseError.ts'

/** An option that is missing, of another type, or out of its bounds. */
export class InvalidOptionError extends BaseError {
  override readonly name = 'InvalidOptionError'
}

/** Text that is no address of the chain, or one that cannot stand in this place. */
export class InvalidAddressError extends BaseError {
  override readonly name = 'InvalidAddressError'
}

/** Bytes that no key can have made as a signature. */
export class InvalidSignatureError extends BaseError {
  override readonly name = 'InvalidSignatureError'
}

/** Text that is not canonical base64. */
export class InvalidBase64Error extends BaseError {
  override readonly name = 'InvalidBase64Error'
}

/** Bytes or text that are not one whole transaction of the chain. */
export class InvalidTransactionError extends BaseError {
  override readonly name = 'InvalidTransactionError'
}

/** A network that the service does not have. */
export class UnknownNetworkError extends BaseError {
  override readonly name = 'UnknownNetworkError'
}

/** One thing that is wrong with a record. */
export type RecordIssue = {
  /** Path of the field: `signedMessages.permitCredits`, `chargebackProtectionData[0].quantity`; empty for the whole value. */
  path: string
  /** What was expected, with the offending value cut short. */
  message: string
}

/** A value that is not the record that it should be. `field` is the path of the first issue. */
export class InvalidRecordError extends BaseError {
  override readonly name = 'InvalidRecordError'
  /** Everything that is wrong, in the order of the record's fields. Empty when the value is no record at all. */
  readonly issues: readonly RecordIssue[]

  constructor(
    shortMessage: string,
    options: BaseError.Options & { issues?: readonly RecordIssue[] | undefined } = {},
  ) {
    super(shortMessage, options)
    this.issues = options.issues ?? []
  }
}
