import type { BaseError } from '../../core/errors/baseError.ts'
import type { InvalidOptionError } from '../../core/errors/inputErrors.ts'
import {
  type Refusals,
  RefusedTransactionError,
  refusalOf,
  WrongAmountError,
} from '../../core/errors/transactionErrors.ts'
import { WrongSignerError } from '../../core/errors/walletErrors.ts'
import { type ParsedTransaction, parseTransaction, readXdr } from '../envelope/envelope.ts'
import {
  checkExpected,
  type Expectation,
  ExpiredTransactionError,
  ExtraOperationError,
  type expectedInvocation,
  ForeignSignatureError,
  WrongAssetError,
  WrongCallError,
  WrongPartyError,
  WrongTransactionNetworkError,
} from '../expected.ts'
import {
  compareNetwork,
  createContext,
  type InspectionContext,
  type InspectOptions,
} from '../inspect/context.ts'
import { inspectTransaction } from '../inspect/inspectTransaction.ts'
import { networkOf } from '../networks.ts'
import type { Signer } from '../signer/toSigner.ts'

/**
 * Checks that a request is exactly the expected one, before anything of value is signed.
 *
 * The caller's code passes the inspected request explicitly. If the request came from the options, a dApp could add a second request there
 * and have the second one inspected instead.
 */
export function guardRequest(
  options: InspectOptions & { networkPassphrase?: string | undefined },
  inspectRequest: (context: InspectionContext) => unknown,
): void {
  checkExpected(options.expected)
  const context = createContext(options)
  compareNetwork(context, options.networkPassphrase)
  readXdr(() => inspectRequest(context))
  const refusal = refusalOf<Refusal>(context.findings, refusals)
  if (refusal !== undefined) throw refusal
}

export declare namespace guardRequest {
  type ErrorType =
    | networkOf.ErrorType
    | parseTransaction.ErrorType
    | expectedInvocation.ErrorType
    | Refusal
    | InvalidOptionError
}

/** Throws unless a transaction is exactly the expected one. */
export function guardTransaction(
  parsed: ParsedTransaction,
  options: Parameters<typeof guardRequest>[0],
): void {
  guardRequest(options, (context) => inspectTransaction(parsed, context))
}

/** Checks a transaction that was built here, as the customer would before signing it, and returns it. */
export function guardBuilt(
  transaction: string,
  options: Omit<InspectOptions, 'address' | 'expected' | 'maxValidForSeconds'> & {
    expected: Expectation
    validForSeconds?: number | undefined
  },
): string {
  const { environment, expected, validForSeconds: maxValidForSeconds } = options
  const parsed = parseTransaction(transaction, networkOf(environment))
  guardTransaction(parsed, { ...options, address: expected.from, maxValidForSeconds })
  return transaction
}

const refusals = {
  other: RefusedTransactionError,
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

type Refusal = InstanceType<(typeof refusals)[keyof typeof refusals]>

export function checkHolder({ address }: Signer, { from }: Expectation): void {
  if (from !== address)
    throw new WrongSignerError(`The authorization is for ${from}, but the wallet holds ${address}.`, {
      field: 'authEntry.address',
      fix: 'Sign it with the account that it names.',
    })
}
