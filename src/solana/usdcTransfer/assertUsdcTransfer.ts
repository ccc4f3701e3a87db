import { BaseError } from '../../core/errors/baseError.ts'
import type { Finding } from '../../core/finding/finding.ts'
import type { AddressLike } from '../address/parseAddress.ts'
import { checkOptions } from '../checkOptions.ts'
import type { checkUsdcTransfer } from '../inspect/checkUsdcTransfer.ts'
import { inspect } from '../inspect/inspect.ts'
import type { LookupTable } from '../inspect/resolveAccounts.ts'
import { WrongNetworkError } from '../networks.ts'
import { WrongSignatureError } from '../signer/toSigner.ts'
import type { TransactionLike } from '../transaction/readTransaction.ts'

/**
 * Inspects a transaction against the USDC transfer that was asked for, and throws when it is anything else.
 *
 * @returns the inspection
 * @throws the error of the first danger: {@link WrongMintError}, {@link WrongDecimalsError}, {@link WrongAmountError},
 *   {@link UnexpectedAccountError}, {@link WrongFeePayerError}, {@link UnexpectedSignerError}, {@link DelegateApprovalError},
 *   {@link AuthorityChangeError}, {@link UnexpectedInstructionError}, {@link WrongMemoError}, {@link FeeTooHighError},
 *   {@link UnresolvedLookupTableError}, {@link WrongNetworkError}, {@link WrongSignatureError}; all but the last two are
 *   {@link RefusedTransactionError} and carry every finding
 */
export function assertUsdcTransfer(options: assertUsdcTransfer.Options): ReturnType<typeof inspect> {
  const { transaction, expected, lookupTables } = checkOptions(options)
  const { wallet = checkOptions(expected, 'expected').from } = options
  const inspection = inspect({ transaction, wallet, expected, lookupTables })
  const first = inspection.findings.find(({ severity }) => severity === 'danger')
  if (first === undefined) return inspection
  const Refusal = refusals[first.code] ?? UnexpectedInstructionError
  throw new Refusal(first.message, {
    field: first.field,
    fix: 'Do not sign it. Ask for a new transaction, or for the reason.',
    findings: inspection.findings,
  })
}

export declare namespace assertUsdcTransfer {
  type Options = {
    transaction: TransactionLike
    expected: checkUsdcTransfer.Expected
    /** Who is asked to sign. Default: the customer, `expected.from`. */
    wallet?: AddressLike | undefined
    lookupTables?: readonly LookupTable[] | undefined
  }
}

/** A transaction that does something else than was asked for. `findings` has all of it. */
export class RefusedTransactionError extends BaseError {
  override readonly name: string = 'RefusedTransactionError'
  readonly findings: readonly Finding[]
  constructor(shortMessage: string, options: BaseError.Options & { findings: readonly Finding[] }) {
    super(shortMessage, options)
    this.findings = options.findings
  }
}

/** Another token than the network's USDC. */
export class WrongMintError extends RefusedTransactionError {
  override readonly name = 'WrongMintError'
}
/** Other decimals than 6. */
export class WrongDecimalsError extends RefusedTransactionError {
  override readonly name = 'WrongDecimalsError'
}
/** Another amount than was asked for. */
export class WrongAmountError extends RefusedTransactionError {
  override readonly name = 'WrongAmountError'
}
/** An account swapped, added, or open to change when it must not be, or the other way round. */
export class UnexpectedAccountError extends RefusedTransactionError {
  override readonly name = 'UnexpectedAccountError'
}
/** The customer, or a stranger, pays fee or rent. */
export class WrongFeePayerError extends RefusedTransactionError {
  override readonly name = 'WrongFeePayerError'
}
/** A signer too many or too few. */
export class UnexpectedSignerError extends RefusedTransactionError {
  override readonly name = 'UnexpectedSignerError'
}
/** Somebody would be allowed to spend the customer's tokens. */
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
/** One instruction too many or too few, or one that nobody knows. */
export class UnexpectedInstructionError extends RefusedTransactionError {
  override readonly name = 'UnexpectedInstructionError'
}
/** Another memo than the payment id. */
export class WrongMemoError extends RefusedTransactionError {
  override readonly name = 'WrongMemoError'
}
/** A fee, a rent, or a compute budget that was not asked for. */
export class FeeTooHighError extends RefusedTransactionError {
  override readonly name = 'FeeTooHighError'
}
/** Another blockhash than the one that was prepared. */
export class WrongBlockhashError extends RefusedTransactionError {
  override readonly name = 'WrongBlockhashError'
}
/** Accounts that cannot be known. */
export class UnresolvedLookupTableError extends RefusedTransactionError {
  override readonly name = 'UnresolvedLookupTableError'
}

const refusals: Record<
  string,
  new (
    shortMessage: string,
    options: BaseError.Options & { findings: readonly Finding[] },
  ) => BaseError
> = {
  WRONG_NETWORK: WrongNetworkError,
  WRONG_SIGNATURE: WrongSignatureError,
  WRONG_MINT: WrongMintError,
  WRONG_DECIMALS: WrongDecimalsError,
  WRONG_AMOUNT: WrongAmountError,
  WRONG_SOURCE: UnexpectedAccountError,
  WRONG_DESTINATION: UnexpectedAccountError,
  WRONG_OWNER: UnexpectedAccountError,
  UNEXPECTED_ACCOUNT: UnexpectedAccountError,
  UNUSED_ACCOUNT: UnexpectedAccountError,
  EXTRA_WRITABLE: UnexpectedAccountError,
  NOT_WRITABLE: UnexpectedAccountError,
  DUPLICATE_ACCOUNT: UnexpectedAccountError,
  CUSTOMER_PAYS_FEE: WrongFeePayerError,
  WRONG_SPONSOR: WrongFeePayerError,
  WRONG_RENT_PAYER: WrongFeePayerError,
  WRONG_WALLET: UnexpectedSignerError,
  SIGNER_MISSING: UnexpectedSignerError,
  EXTRA_SIGNER: UnexpectedSignerError,
  DELEGATE_APPROVAL: DelegateApprovalError,
  AUTHORITY_CHANGE: AuthorityChangeError,
  ACCOUNT_CLOSED: AccountClosedError,
  WRONG_MEMO: WrongMemoError,
  FEE_TOO_HIGH: FeeTooHighError,
  RENT_TOO_HIGH: FeeTooHighError,
  WRONG_COMPUTE_BUDGET: FeeTooHighError,
  WRONG_BLOCKHASH: WrongBlockhashError,
  UNRESOLVED_LOOKUP_TABLE: UnresolvedLookupTableError,
}
