import type { BaseError } from '../../core/errors/baseError.ts'
import { RefusedTransactionError, WrongAmountError } from '../../core/errors/transactionErrors.ts'
import type { Finding } from '../../core/finding/finding.ts'
import type { FindingCode } from '../../core/finding/findingCatalogue.ts'
import {
  ExpiredTransactionError,
  ExtraOperationError,
  ForeignSignatureError,
  WrongAssetError,
  WrongCallError,
  WrongPartyError,
  WrongTransactionNetworkError,
} from './errors.ts'

/**
 * Throws when there is a danger among the findings: what stands before every signature.
 *
 * @throws `RefusedTransactionError`, or the one of its kin that the first danger calls for
 */
export function refuseDangers(findings: readonly Finding[]): void {
  const dangers = findings.filter(({ severity }) => severity === 'danger')
  const [first] = dangers
  if (first === undefined) return
  const table: Refusals<refuseDangers.ErrorType> = refusals
  const Refusal = table[first.code] ?? RefusedTransactionError
  throw new Refusal(dangers.map(({ message }) => message).join(' '), {
    field: first.field,
    fix: 'Do not sign it. Have it built again, and tell the service.',
    findings,
  })
}

export declare namespace refuseDangers {
  type ErrorType = RefusedTransactionError | InstanceType<(typeof refusals)[keyof typeof refusals]>
}

type Refusals<error> = {
  readonly [code in FindingCode]?: new (
    shortMessage: string,
    options: BaseError.Options & { findings: readonly Finding[] },
  ) => error
}

/** What is not in it is a {@link RefusedTransactionError}. */
const refusals = {
  WRONG_NETWORK: WrongTransactionNetworkError,
  WRONG_ASSET: WrongAssetError,
  WRONG_AMOUNT: WrongAmountError,
  WRONG_ACCOUNT: WrongPartyError,
  CUSTOMER_PAYS_FEE: WrongPartyError,
  WRONG_CONTRACT: WrongCallError,
  WRONG_FUNCTION: WrongCallError,
  WRONG_ARGUMENTS: WrongCallError,
  FOREIGN_SIGNATURE: ForeignSignatureError,
  EXPIRED: ExpiredTransactionError,
  EXTRA_OPERATION: ExtraOperationError,
  EXTRA_AUTHORIZATION: ExtraOperationError,
  SUB_INVOCATION: ExtraOperationError,
} satisfies Refusals<BaseError>
