import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'

/** A file of recorded answers that cannot be used: it was cut off, is of another chain or block, or is not there. */
export class RecordFileError extends BaseError {
  override readonly name = 'RecordFileError'
}

/** A test asked for something of the forked chain that the file does not have, and there is no endpoint to ask. */
export class NotRecordedError extends BaseError {
  override readonly name = 'NotRecordedError'
}
