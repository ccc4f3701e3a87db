import type { Inspection } from '../../core/finding/finding.ts'
import type { AddressLike } from '../address/parseAddress.ts'
import { checkOptions } from '../checkOptions.ts'
import type { TransactionLike } from '../transaction/readTransaction.ts'
import type { LookupTable } from '../transactionDetails/resolveAccounts.ts'
import type { TransactionDetails } from '../transactionDetails/transactionDetails.ts'
import type { ExpectedTransfer } from './expectedTransfer.ts'
import { inspectUsdcTransfer } from './inspectUsdcTransfer.ts'
import { refuseDangers } from './refuseDangers.ts'

/**
 * Inspects a transaction against the USDC transfer that was asked for, and throws when it is anything else.
 *
 * @returns the inspection
 * @throws the error of the first danger: {@link WrongMintError}, {@link WrongDecimalsError},
 *   {@link WrongAmountError}, {@link UnexpectedAccountError}, {@link WrongFeePayerError},
 *   {@link UnexpectedSignerError}, {@link DelegateApprovalError}, {@link AuthorityChangeError},
 *   {@link AccountClosedError}, {@link UnexpectedInstructionError}, {@link WrongMemoError},
 *   {@link FeeTooHighError}, {@link WrongBlockhashError}, {@link UnresolvedLookupTableError},
 *   {@link WrongNetworkError}, {@link WrongSignatureError}; all but the last two are
 *   {@link RefusedTransactionError} and carry every finding; and what
 *   `inspect` throws
 */
export function assertUsdcTransfer(options: assertUsdcTransfer.Options): Inspection<TransactionDetails> {
  const { transaction, expected, lookupTables } = checkOptions(options)
  const { wallet = checkOptions(expected, 'expected').from } = options
  const inspection = inspectUsdcTransfer({ transaction, wallet, expected, lookupTables })
  refuseDangers(inspection.findings)
  return inspection
}

export declare namespace assertUsdcTransfer {
  type Options = {
    transaction: TransactionLike
    expected: ExpectedTransfer
    /** Who is asked to sign. Default: the customer, `expected.from`. */
    wallet?: AddressLike | undefined
    lookupTables?: readonly LookupTable[] | undefined
  }
  type ErrorType = refuseDangers.ErrorType | inspectUsdcTransfer.ErrorType
}
