export { InvalidAuthMessageError } from './authMessage/parseAuthMessage.ts'
export { signAuthMessage } from './authMessage/signAuthMessage.ts'
export { verifyAuthMessage } from './authMessage/verifyAuthMessage.ts'
export { InvalidOptionError } from './checkOptions.ts'
export { InvalidBase64Error } from './encoding/parseBase64.ts'
export { inspect } from './inspect/inspect.ts'
export {
  networkOf,
  networks,
  type StellarEnvironment,
  type StellarNetwork,
  UnknownNetworkError,
} from './networks.ts'
export { InvalidAddressError } from './signer/checkAddress.ts'
export {
  InvalidSignatureError,
  type StellarKeypair,
  type StellarSigner,
  type StellarWallet,
  UserRejectedError,
  WalletError,
  WrongNetworkError,
  WrongSignerError,
} from './signer/toSigner.ts'
export { stellarAdapter } from './stellarAdapter.ts'
export {
  type ExpectedCall,
  type ExpectedPayment,
  type ExpectedTransaction,
  type Invocation,
  MissingExpectationError,
} from './transaction/expected.ts'
export { feeBump } from './transaction/feeBump.ts'
export { InvalidMemoError, type StellarMemo } from './transaction/memo.ts'
export { InvalidTransactionError } from './transaction/parseTransaction.ts'
export {
  ExpiredTransactionError,
  ExtraOperationError,
  ForeignSignatureError,
  RefusedTransactionError,
  WrongAccountError,
  WrongAmountError,
  WrongAssetError,
  WrongCallError,
  WrongTransactionNetworkError,
} from './transaction/refuseDangers.ts'
export { signAuthEntry } from './transaction/signAuthEntry.ts'
export { signTransaction } from './transaction/signTransaction.ts'
export { MissingAccountError } from './transaction/startTransaction.ts'
export { SimulationFailedError, stellarTransaction } from './transaction/stellarTransaction.ts'
export { InsufficientUsdcError, TrustlineError, usdcTransfer } from './transaction/usdcTransfer.ts'
