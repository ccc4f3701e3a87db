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
export { UnsupportedSdkError } from './adaptSdk.ts'
export { signAuthMessage } from './authMessage/signAuthMessage.ts'
export { verifyAuthMessage } from './authMessage/verifyAuthMessage.ts'
export type { Invocation } from './envelope/authEntry.ts'
export type { StellarMemo } from './envelope/envelope.ts'
export { InvalidMemoError } from './envelope/envelope.ts'
export type {
  ExpectedAccount,
  ExpectedCall,
  ExpectedPayment,
  ExpectedTransaction,
} from './expected.ts'
export {
  ExpiredTransactionError,
  ExtraOperationError,
  ForeignSignatureError,
  MissingExpectationError,
  WrongAssetError,
  WrongCallError,
  WrongPartyError,
  WrongTransactionNetworkError,
} from './expected.ts'
export { inspect } from './inspect/inspect.ts'
export { networkOf, networks, type StellarEnvironment, type StellarNetwork } from './networks.ts'
export type { StellarKeypair, StellarSigner, StellarWallet } from './signer/toSigner.ts'
export { stellarAdapter } from './stellarAdapter.ts'
export { signAuthEntry } from './transaction/signAuthEntry.ts'
export { feeBump, signTransaction } from './transaction/signTransaction.ts'
export { ContractCallFailedError, SimulationUnavailableError } from './transaction/simulateCall.ts'
export { MissingAccountError, stellarTransaction } from './transaction/stellarTransaction.ts'
export { MissingReserveError, usdcAccount } from './usdcAccount.ts'
export { TrustlineError, usdcTransfer } from './usdcTransfer.ts'
