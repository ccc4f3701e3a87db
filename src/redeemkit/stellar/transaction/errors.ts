import { RefusedTransactionError } from '../../core/errors/transactionErrors.ts'

/** Signed or requested for another network. */
export class WrongTransactionNetworkError extends RefusedTransactionError {
  override readonly name = 'WrongTransactionNetworkError'
}

/** Another asset, issuer or contract than the network's USDC. */
export class WrongAssetError extends RefusedTransactionError {
  override readonly name = 'WrongAssetError'
}

/** Another source, destination, sponsor or customer. */
export class WrongPartyError extends RefusedTransactionError {
  override readonly name = 'WrongPartyError'
}

/** Past its time bounds or its last ledger. */
export class ExpiredTransactionError extends RefusedTransactionError {
  override readonly name = 'ExpiredTransactionError'
}

/** More than the one operation, authorization or call. */
export class ExtraOperationError extends RefusedTransactionError {
  override readonly name = 'ExtraOperationError'
}

/** Another contract, function or argument. */
export class WrongCallError extends RefusedTransactionError {
  override readonly name = 'WrongCallError'
}

/** A signature on it by another key, over other content, or for another network. */
export class ForeignSignatureError extends RefusedTransactionError {
  override readonly name = 'ForeignSignatureError'
}
