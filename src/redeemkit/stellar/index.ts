export {
  AuthMessageExpiredError,
  AuthMessageMismatchError,
  InvalidAuthMessageError,
} from '../core/authMessage/authMessageErrors.ts'
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
export { signAuthMessage } from './authMessage/signAuthMessage.ts'
export { verifyAuthMessage } from './authMessage/verifyAuthMessage.ts'
export { UnsupportedSdkError } from './checkSdk.ts'
export { InvalidMemoError } from './envelope/errors.ts'
export type { Invocation } from './envelope/parseInvocation.ts'
export type { StellarMemo } from './envelope/toMemo.ts'
export { MissingExpectationError } from './expected/checkExpected.ts'
export type {
  ExpectedAccount,
  ExpectedCall,
  ExpectedPayment,
  ExpectedTransaction,
} from './expected/expectedTransaction.ts'
export { inspect } from './inspect/inspect.ts'
export { networkOf, networks, type StellarEnvironment, type StellarNetwork } from './networks.ts'
export type { StellarKeypair, StellarSigner, StellarWallet } from './signer/toSigner.ts'
export { stellarAdapter } from './stellarAdapter.ts'
export {
  ExpiredTransactionError,
  ExtraOperationError,
  ForeignSignatureError,
  WrongAssetError,
  WrongCallError,
  WrongPartyError,
  WrongTransactionNetworkError,
} from './transaction/errors.ts'
export { feeBump } from './transaction/feeBump.ts'
export { signAuthEntry } from './transaction/signAuthEntry.ts'
export { signTransaction } from './transaction/signTransaction.ts'
export { ContractCallFailedError, SimulationUnavailableError } from './transaction/simulateCall.ts'
export { MissingAccountError } from './transaction/startTransaction.ts'
export { stellarTransaction } from './transaction/stellarTransaction.ts'
export { MissingReserveError } from './usdcAccount/checkReserve.ts'
export { usdcAccount } from './usdcAccount/usdcAccount.ts'
export { TrustlineError } from './usdcTransfer/checkTrustlines.ts'
export { usdcTransfer } from './usdcTransfer/usdcTransfer.ts'
