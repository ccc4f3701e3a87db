import { BaseError } from '../../core/errors/baseError.ts'
import { RefusedTransactionError } from '../../core/errors/transactionErrors.ts'

/** The transaction can no longer be included: its blockhash is too old, and it is not on chain. */
export class BlockhashExpiredError extends BaseError {
  override readonly name = 'BlockhashExpiredError'
}
/** The chain refused the transaction, before or after its inclusion. */
export class TransactionFailedError extends BaseError {
  override readonly name = 'TransactionFailedError'
}
/** The wallet has no USDC token account, or its token account cannot pay or receive. */
export class MissingTokenAccountError extends BaseError {
  override readonly name = 'MissingTokenAccountError'
}

/** The token is not the network's USDC. */
export class WrongMintError extends RefusedTransactionError {
  override readonly name = 'WrongMintError'
}
/** The decimals are not 6. */
export class WrongDecimalsError extends RefusedTransactionError {
  override readonly name = 'WrongDecimalsError'
}
/** An account was swapped or added, or is writable or read-only when it must not be. */
export class UnexpectedAccountError extends RefusedTransactionError {
  override readonly name = 'UnexpectedAccountError'
}
/** A different account than expected would pay the fee or the rent. */
export class WrongFeePayerError extends RefusedTransactionError {
  override readonly name = 'WrongFeePayerError'
}
/** A signer is extra or missing. */
export class UnexpectedSignerError extends RefusedTransactionError {
  override readonly name = 'UnexpectedSignerError'
}
/** Another account could spend the customer's tokens. */
export class DelegateApprovalError extends RefusedTransactionError {
  override readonly name = 'DelegateApprovalError'
}
/** An account would get a new owner or authority. */
export class AuthorityChangeError extends RefusedTransactionError {
  override readonly name = 'AuthorityChangeError'
}
/** A token account would be closed. */
export class AccountClosedError extends RefusedTransactionError {
  override readonly name = 'AccountClosedError'
}
/** An instruction is extra, missing or unknown. */
export class UnexpectedInstructionError extends RefusedTransactionError {
  override readonly name = 'UnexpectedInstructionError'
}
/** The memo is not the payment id. */
export class WrongMemoError extends RefusedTransactionError {
  override readonly name = 'WrongMemoError'
}
/** The fee, the rent or the compute budget is not the expected one. */
export class FeeTooHighError extends RefusedTransactionError {
  override readonly name = 'FeeTooHighError'
}
/** The blockhash is not the expected one. */
export class WrongBlockhashError extends RefusedTransactionError {
  override readonly name = 'WrongBlockhashError'
}
/** Accounts of a lookup table cannot be resolved. */
export class UnresolvedLookupTableError extends RefusedTransactionError {
  override readonly name = 'UnresolvedLookupTableError'
}
