import { RefusedTransactionError } from '../../core/errors/transactionErrors.ts'

/** The transaction is signed or requested for another network. */
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

/** The transaction is past its time bounds, or the authorization past its last ledger. */
export class ExpiredTransactionError extends RefusedTransactionError {
  override readonly name = 'ExpiredTransactionError'
}

/** There is an extra operation, authorization or call. */
export class ExtraOperationError extends RefusedTransactionError {
  override readonly name = 'ExtraOperationError'
}

/** The contract, function or arguments are not the expected ones. */
export class WrongCallError extends RefusedTransactionError {
  override readonly name = 'WrongCallError'
}

/** A signature is by another key, over other content, or for another network. */
export class ForeignSignatureError extends RefusedTransactionError {
  override readonly name = 'ForeignSignatureError'
}
