export { type AddressLike, InvalidAddressError } from './address/parseAddress.ts'
export { tokenAccountOf } from './address/tokenAccountOf.ts'
export { AuthMessageExpiredError, AuthMessageMismatchError } from './authMessage/checkAuthMessage.ts'
export { HarmfulAuthTransactionError } from './authMessage/checkAuthTransaction.ts'
export {
  type AuthMessage,
  parseAuthMessage,
  UnknownAuthMessageError,
} from './authMessage/parseAuthMessage.ts'
export { signAuthMessage } from './authMessage/signAuthMessage.ts'
export { InvalidSignatureError, verifyAuthMessage } from './authMessage/verifyAuthMessage.ts'
export { InvalidOptionError } from './checkOptions.ts'
export { InvalidBase58Error } from './encoding/decodeBase58.ts'
export { InvalidBase64Error } from './encoding/decodeBase64.ts'
export { inspect } from './inspect/inspect.ts'
export type { LookupTable } from './inspect/resolveAccounts.ts'
export type { TransactionDetails } from './inspect/transactionDetails.ts'
export type { DecodedInstruction } from './instruction/decodeInstruction.ts'
export { type Network, networkOf, networks, WrongNetworkError } from './networks.ts'
export {
  ChangedByWalletError,
  type KeypairSigner,
  type SolanaSigner,
  UserRejectedError,
  type WalletAdapterSigner,
  WalletError,
  type WalletStandardSigner,
  WrongSignatureError,
  WrongSignerError,
} from './signer/toSigner.ts'
export { solanaAdapter } from './solanaAdapter.ts'
export { InvalidTransactionError } from './transaction/parseTransaction.ts'
export type { TransactionLike } from './transaction/readTransaction.ts'
export {
  AccountClosedError,
  AuthorityChangeError,
  assertUsdcTransfer,
  DelegateApprovalError,
  FeeTooHighError,
  RefusedTransactionError,
  UnexpectedAccountError,
  UnexpectedInstructionError,
  UnexpectedSignerError,
  UnresolvedLookupTableError,
  WrongAmountError,
  WrongBlockhashError,
  WrongDecimalsError,
  WrongFeePayerError,
  WrongMemoError,
  WrongMintError,
} from './usdcTransfer/assertUsdcTransfer.ts'
export { confirmUsdcTransfer } from './usdcTransfer/confirmUsdcTransfer.ts'
export { BlockhashExpiredError, type Connection, TransactionFailedError } from './usdcTransfer/connection.ts'
export {
  InsufficientUsdcError,
  MissingTokenAccountError,
  prepareUsdcTransfer,
} from './usdcTransfer/prepareUsdcTransfer.ts'
export { signUsdcTransfer } from './usdcTransfer/signUsdcTransfer.ts'
export { sponsorUsdcTransfer } from './usdcTransfer/sponsorUsdcTransfer.ts'
export { SubmitUnknownError, submitUsdcTransfer } from './usdcTransfer/submitUsdcTransfer.ts'
export {
  OwnerOffCurveError,
  type UsdcTransfer,
  usdcTransfer,
} from './usdcTransfer/usdcTransfer.ts'
