import { BaseError } from '../../core/errors/baseError.ts'
import { RefusedTransactionError } from '../../core/errors/transactionErrors.ts'

/** A transaction that can no longer be included: its blockhash is too old, and it is not on chain. */
export class BlockhashExpiredError extends BaseError {
  override readonly name = 'BlockhashExpiredError'
}
/** A transaction that the chain refused, before or after its inclusion. */
export class TransactionFailedError extends BaseError {
  override readonly name = 'TransactionFailedError'
}
/** A wallet without a token account for USDC, or with one that cannot pay or receive. */
export class MissingTokenAccountError extends BaseError {
  override readonly name = 'MissingTokenAccountError'
}

/** A different token than the network's USDC. */
export class WrongMintError extends RefusedTransactionError {
  override readonly name = 'WrongMintError'
}
/** Other decimals than 6. */
export class WrongDecimalsError extends RefusedTransactionError {
  override readonly name = 'WrongDecimalsError'
}
/** An account swapped, added, or open to change when it must not be, or the other way round. */
export class UnexpectedAccountError extends RefusedTransactionError {
  override readonly name = 'UnexpectedAccountError'
}
/** A different account than expected would pay the fee or the rent. */
export class WrongFeePayerError extends RefusedTransactionError {
  override readonly name = 'WrongFeePayerError'
}
/** A signer too many or too few. */
export class UnexpectedSignerError extends RefusedTransactionError {
  override readonly name = 'UnexpectedSignerError'
}
/** Another account could spend the customer's tokens. */
export class DelegateApprovalError extends RefusedTransactionError {
  override readonly name = 'DelegateApprovalError'
}
/** An account would get another owner or authority. */
export class AuthorityChangeError extends RefusedTransactionError {
  override readonly name = 'AuthorityChangeError'
}
/** A token account would be closed. */
export class AccountClosedError extends RefusedTransactionError {
  override readonly name = 'AccountClosedError'
}
/** One instruction too many or too few, or one that is not known. */
export class UnexpectedInstructionError extends RefusedTransactionError {
  override readonly name = 'UnexpectedInstructionError'
}
/** A different memo than the payment id. */
export class WrongMemoError extends RefusedTransactionError {
  override readonly name = 'WrongMemoError'
}
/** An unexpected fee, rent or compute budget. */
export class FeeTooHighError extends RefusedTransactionError {
  override readonly name = 'FeeTooHighError'
}
/** A different blockhash than the one that was prepared. */
export class WrongBlockhashError extends RefusedTransactionError {
  override readonly name = 'WrongBlockhashError'
}
/** Accounts that cannot be known. */
export class UnresolvedLookupTableError extends RefusedTransactionError {
  override readonly name = 'UnresolvedLookupTableError'
}
