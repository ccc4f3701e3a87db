export {
  AuthMessageExpiredError,
  AuthMessageMismatchError,
  InvalidAuthMessageError,
} from '../core/authMessage.ts'
export {
  InvalidAddressError,
  InvalidBase64Error,
  InvalidOptionError,
  InvalidSignatureError,
  InvalidTransactionError,
  UnknownNetworkError,
} from '../core/errors/inputErrors.ts'
export {
  InsufficientUsdcError,
  RefusedTransactionError,
  WrongAmountError,
} from '../core/errors/transactionErrors.ts'
export {
  UserRejectedError,
  WalletFailedError,
  WrongNetworkError,
  WrongSignatureError,
  WrongSignerError,
} from '../core/errors/walletErrors.ts'
export { formatInspection } from '../core/inspection/formatInspection.ts'
export type { AddressLike } from './address.ts'
export { tokenAccountOf } from './address.ts'
export { type AuthMessage, parseAuthMessage } from './authMessage/parseAuthMessage.ts'
export { signAuthMessage } from './authMessage/signAuthMessage.ts'
export { verifyAuthMessage } from './authMessage/verifyAuthMessage.ts'
export { InvalidBase58Error } from './encoding.ts'
export { inspect } from './inspect/inspect.ts'
export { type Network, networkOf, networks } from './networks.ts'
export type {
  KeypairSigner,
  KitSigner,
  SolanaSigner,
  WalletAdapterSigner,
  WalletStandardSigner,
} from './signer/solanaSigner.ts'
export { ChangedByWalletError } from './signer/solanaSigner.ts'
export { solanaAdapter } from './solanaAdapter.ts'
export type { KitTransaction, TransactionLike } from './transaction/parseTransaction.ts'
export type { DecodedInstruction } from './transaction/readInstruction.ts'
export type { LookupTable, TransactionDetails } from './transaction/transactionDetails.ts'
export { assertUsdcTransfer } from './usdcTransfer/assertUsdcTransfer.ts'
export * from './usdcTransfer/errors.ts'
export type { Connection } from './usdcTransfer/prepareUsdcTransfer.ts'
export { prepareUsdcTransfer } from './usdcTransfer/prepareUsdcTransfer.ts'
export { signUsdcTransfer, sponsorUsdcTransfer } from './usdcTransfer/signUsdcTransfer.ts'
export {
  confirmUsdcTransfer,
  SubmitUnknownError,
  submitUsdcTransfer,
} from './usdcTransfer/submitUsdcTransfer.ts'
export type { ExpectedTransfer } from './usdcTransfer/transferTerms.ts'
export { OwnerOffCurveError, type UsdcTransfer, usdcTransfer } from './usdcTransfer/usdcTransfer.ts'
