import { RefusedTransactionError } from '../../core/errors/transactionErrors.ts'

/** The transaction was signed or requested for another network. */
export class WrongTransactionNetworkError extends RefusedTransactionError {
  override readonly name = 'WrongTransactionNetworkError'
}

/** The asset, issuer or contract is not the network's USDC. */
export class WrongAssetError extends RefusedTransactionError {
  override readonly name = 'WrongAssetError'
}

/** The source, destination, sponsor or customer is not the expected one. */
export class WrongPartyError extends RefusedTransactionError {
  override readonly name = 'WrongPartyError'
}

/** The transaction's time bounds or the authorization's last ledger have passed. */
export class ExpiredTransactionError extends RefusedTransactionError {
  override readonly name = 'ExpiredTransactionError'
}

/** An operation, authorization or call is extra. */
export class ExtraOperationError extends RefusedTransactionError {
  override readonly name = 'ExtraOperationError'
}

/** The contract, function or arguments are not the expected ones. */
export class WrongCallError extends RefusedTransactionError {
  override readonly name = 'WrongCallError'
}

/** A signature was made by another key, over other content, or for another network. */
export class ForeignSignatureError extends RefusedTransactionError {
  override readonly name = 'ForeignSignatureError'
}
