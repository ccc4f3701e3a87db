import { BaseError } from '../../core/errors/baseError.ts'
import type { Finding, Inspection } from '../../core/finding/finding.ts'

/**
 * Throws when an inspection found a danger: the guard before every signature.
 *
 * @throws {@link RefusedTransactionError}, or the one of its kin that the first danger calls for
 */
export function refuseDangers(inspection: Inspection): void {
  const dangers = inspection.findings.filter((finding) => finding.severity === 'danger')
  const [first] = dangers
  if (first === undefined) return
  const ErrorClass = errorOf[first.code] ?? RefusedTransactionError
  throw new ErrorClass(dangers.map((finding) => finding.message).join(' '), {
    field: first.field,
    fix: 'Do not sign it. Have it built again, and tell the service what was found.',
    findings: inspection.findings,
  })
}

/** A transaction that does something else than expected. `findings` says what. */
export class RefusedTransactionError extends BaseError {
  override readonly name: string = 'RefusedTransactionError'
  readonly findings: readonly Finding[]
  constructor(message: string, options: BaseError.Options & { findings?: readonly Finding[] }) {
    super(message, options)
    this.findings = options.findings ?? []
  }
}

/** Signed for, or asked for, another network. */
export class WrongTransactionNetworkError extends RefusedTransactionError {
  override readonly name = 'WrongTransactionNetworkError'
}

/** Another asset, issuer or contract than the network's USDC. */
export class WrongAssetError extends RefusedTransactionError {
  override readonly name = 'WrongAssetError'
}

/** Another amount. */
export class WrongAmountError extends RefusedTransactionError {
  override readonly name = 'WrongAmountError'
}

/** Another source, destination, sponsor or customer. */
export class WrongAccountError extends RefusedTransactionError {
  override readonly name = 'WrongAccountError'
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

const errorOf: Readonly<Record<string, typeof RefusedTransactionError>> = {
  WRONG_NETWORK: WrongTransactionNetworkError,
  WRONG_ASSET: WrongAssetError,
  WRONG_AMOUNT: WrongAmountError,
  WRONG_ACCOUNT: WrongAccountError,
  CUSTOMER_PAYS_FEE: WrongAccountError,
  WRONG_CONTRACT: WrongCallError,
  WRONG_FUNCTION: WrongCallError,
  WRONG_ARGUMENTS: WrongCallError,
  FOREIGN_SIGNATURE: ForeignSignatureError,
  EXPIRED: ExpiredTransactionError,
  EXTRA_OPERATION: ExtraOperationError,
  EXTRA_AUTHORIZATION: ExtraOperationError,
  SUB_INVOCATION: ExtraOperationError,
}
