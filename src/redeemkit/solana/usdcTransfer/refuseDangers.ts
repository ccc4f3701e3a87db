import type { BaseError } from '../../core/errors/baseError.ts'
import { WrongAmountError } from '../../core/errors/transactionErrors.ts'
import { WrongNetworkError, WrongSignatureError } from '../../core/errors/walletErrors.ts'
import type { Finding } from '../../core/finding/finding.ts'
import type { FindingCode } from '../../core/finding/findingCatalogue.ts'
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

/** Throws the error of the first danger, if there is one. It carries every finding. */
export function refuseDangers(findings: readonly Finding[]): void {
  const first = findings.find(({ severity }) => severity === 'danger')
  if (first === undefined) return
  const table: Refusals<refuseDangers.ErrorType> = refusals
  const Refusal = table[first.code] ?? UnexpectedInstructionError
  throw new Refusal(first.message, {
    field: first.field,
    fix: 'Do not sign it. Ask for a new transaction, or for the reason.',
    findings,
  })
}

export declare namespace refuseDangers {
  type ErrorType = UnexpectedInstructionError | InstanceType<(typeof refusals)[keyof typeof refusals]>
}

type Refusals<error> = {
  readonly [code in FindingCode]?: new (
    shortMessage: string,
    options: BaseError.Options & { findings: readonly Finding[] },
  ) => error
}

/** What is not in it is an {@link UnexpectedInstructionError}. */
const refusals = {
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
