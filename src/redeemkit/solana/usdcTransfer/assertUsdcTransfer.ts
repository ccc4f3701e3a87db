import type { BaseError } from '../../core/errors/baseError.ts'
import { quoteText } from '../../core/errors/showValue.ts'
import { type Refusals, refusalOf, WrongAmountError } from '../../core/errors/transactionErrors.ts'
import { WrongNetworkError, WrongSignatureError } from '../../core/errors/walletErrors.ts'
import type { Finding } from '../../core/finding/finding.ts'
import { createInspection } from '../../core/inspection/createInspection.ts'
import { type Effect, unexpectedTitle } from '../../core/inspection/effect.ts'
import type { Inspection } from '../../core/inspection/inspection.ts'
import {
  addressValue,
  dangersOf,
  line,
  sentence,
  textValue,
  tokenValue,
} from '../../core/inspection/values.ts'
import { type AddressLike, parseAddress } from '../address.ts'
import { checkOptions } from '../checkOptions.ts'
import { usdcDecimals } from '../networks.ts'
import { instructionLayouts } from '../transaction/instructionLayouts.ts'
import {
  type ParsedTransaction,
  readTransaction,
  type TransactionLike,
} from '../transaction/parseTransaction.ts'
import {
  type LookupTable,
  readTransactionDetails,
  type TransactionDetails,
} from '../transaction/transactionDetails.ts'
import { transferLayouts } from '../transaction/transferLayouts.ts'
import { checkUsdcTransfer } from './checkUsdcTransfer.ts'
import {
  AccountClosedError,
  AuthorityChangeError,
  DelegateApprovalError,
  FeeTooHighError,
  UnexpectedAccountError,
  UnexpectedInstructionError,
  UnexpectedSignerError,
  UnresolvedLookupTableError,
  WrongBlockhashError,
  WrongDecimalsError,
  WrongFeePayerError,
  WrongMemoError,
  WrongMintError,
} from './errors.ts'
import { type ExpectedTransfer, transferTerms } from './transferTerms.ts'

/**
 * Compares a transaction with the expected USDC transfer, and throws if they differ.
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
    /** The account that would sign. Default: the customer, `expected.from`. */
    wallet?: AddressLike | undefined
    lookupTables?: readonly LookupTable[] | undefined
  }
  type ErrorType = refuseDangers.ErrorType | inspectUsdcTransfer.ErrorType
}

function refuseDangers(findings: readonly Finding[]): void {
  const refusal = refusalOf<refuseDangers.ErrorType>(findings, refusals)
  if (refusal !== undefined) throw refusal
}

declare namespace refuseDangers {
  type ErrorType = InstanceType<(typeof refusals)[keyof typeof refusals]>
}

const refusals = {
  other: UnexpectedInstructionError,
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
  WRONG_FEE_PAYER: WrongFeePayerError,
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
} satisfies Refusals<BaseError>

/**
 * Throws unless the transaction is the expected USDC transfer. Runs the checks of `assertUsdcTransfer`, but can name
 * fewer instructions in errors, so that a page that only pays loads fewer layouts.
 */
export function refuseOtherTransfers(
  parsed: ParsedTransaction,
  options: { expected: ExpectedTransfer; wallet: string; lookupTables?: readonly LookupTable[] | undefined },
): void {
  const { expected, wallet, lookupTables } = options
  const { details, findings } = readTransactionDetails(parsed, { layouts: transferLayouts, lookupTables })
  refuseDangers([...findings, ...checkUsdcTransfer({ details, expected, wallet })])
}

export declare namespace refuseOtherTransfers {
  type ErrorType = refuseDangers.ErrorType | transferTerms.ErrorType | readTransactionDetails.ErrorType
}

/** Describes a transaction, and checks whether it is exactly the expected USDC transfer. */
export function inspectUsdcTransfer(options: inspectUsdcTransfer.Options): Inspection<TransactionDetails> {
  const { transaction, expected, lookupTables, describe } = options
  const parsed = readTransaction(transaction)
  const read = readTransactionDetails(parsed, { layouts: instructionLayouts, lookupTables })
  const { details } = read
  const wallet = parseAddress(options.wallet, { field: 'wallet' })
  const findings = [...read.findings, ...checkUsdcTransfer({ details, expected, wallet })]
  const { amount, from, to, mint, network } = transferTerms(expected)
  const { paymentId } = expected
  const values = { amount: tokenValue(amount, 'USDC'), to: addressValue(to) }
  const dangers = dangersOf(findings)
  // The terms of the expected transfer. A refused transaction may have other terms.
  const isExpected = dangers.length === 0
  const direction = wallet === from ? 'out' : 'other'
  const { title, lines } = isExpected
    ? { title: sentence('send', values), lines: [line('amount', values.amount), line('receiver', values.to)] }
    : unexpectedTitle(describe?.(parsed, details) ?? [], dangers)
  return createInspection({
    kind: 'solanaUsdcTransfer',
    title,
    lines: [
      ...lines,
      line('token', addressValue(mint)),
      line('chain', textValue(`Solana ${network.name}`)),
      line('account', addressValue(from)),
      ...(paymentId === undefined ? [] : [line('memo', textValue(quoteText(paymentId, 500)))]),
      line('feePayer', addressValue(details.feePayer)),
    ],
    findings,
    moves: isExpected ? [{ direction, asset: mint, amount, decimals: usdcDecimals, from, to }] : [],
    details,
  })
}

export declare namespace inspectUsdcTransfer {
  type Options = {
    transaction: TransactionLike
    wallet: AddressLike
    expected: ExpectedTransfer
    lookupTables?: readonly LookupTable[] | undefined
    /** Describes the instructions, for the title of a transaction that is not the expected one. */
    describe?: ((parsed: ParsedTransaction, details: TransactionDetails) => readonly Effect[]) | undefined
  }
  type ErrorType = transferTerms.ErrorType | readTransaction.ErrorType | readTransactionDetails.ErrorType
}
