export {
  AuthMessageExpiredError,
  AuthMessageMismatchError,
  InvalidAuthMessageError,
  PlainTextNotAllowedError,
} from '../core/authMessage/authMessageErrors.ts'
export {
  InvalidAddressError,
  InvalidOptionError,
  InvalidRecordError,
  InvalidSignatureError,
  UnknownNetworkError,
} from '../core/errors/inputErrors.ts'
export {
  UserRejectedError,
  WalletFailedError,
  WalletRequestPendingError,
  WrongNetworkError,
  WrongSignatureError,
  WrongSignerError,
} from '../core/errors/walletErrors.ts'
export { InvalidOrderIdError } from '../core/orderId.ts'
export { parseSiweMessage, type SiweMessage } from './authMessage/parseSiweMessage.ts'
export { signAuthMessage } from './authMessage/signAuthMessage.ts'
export { verifyAuthMessage } from './authMessage/verifyAuthMessage.ts'
export { ChainReadError } from './client/chainReadError.ts'
export type { EvmClient } from './client/evmClient.ts'
export { cancelCreditPermit } from './creditPermit/cancelCreditPermit.ts'
export {
  type CancelCreditPermitTypedData,
  cancelCreditPermitTypedData,
  hashCancelCreditPermit,
} from './creditPermit/cancelCreditPermitTypedData.ts'
export type { CreditPermit, CreditPermitDomain } from './creditPermit/creditPermit.ts'
export {
  type CreditPermitTypedData,
  creditPermitTypedData,
  hashCreditPermit,
} from './creditPermit/creditPermitTypedData.ts'
export { inspectCreditPermit } from './creditPermit/inspectCreditPermit.ts'
export type { InspectOptions } from './creditPermit/inspectOptions.ts'
export { isBoundNonce } from './creditPermit/isBoundNonce.ts'
export { commitmentOf, orderKey, orderKeyOf } from './creditPermit/orderKey.ts'
export { type OrderState, orderState } from './creditPermit/orderState.ts'
export { parseCreditPermitMessage } from './creditPermit/parseCreditPermitMessage.ts'
export type { RedeemRequest } from './creditPermit/redeemIntent.ts'
export { redeemIntentNonce } from './creditPermit/redeemIntentNonce.ts'
export type { RedeemPins } from './creditPermit/redeemPins.ts'
export { settlementHash } from './creditPermit/settlementHash.ts'
export { signCreditPermit } from './creditPermit/signCreditPermit.ts'
export { verifyCreditPermit } from './creditPermit/verifyCreditPermit.ts'
export { UnknownTypedDataError } from './eip712/readTypedData.ts'
export type { TypedDataDomain, TypedDataMember } from './eip712/typedDataDomain.ts'
export { evmAdapter } from './evmAdapter.ts'
export { inspect } from './inspect/inspect.ts'
export { type EvmNetwork, networkOf, networks } from './networks.ts'
export { type DecodedRevert, decodeRevert } from './revert/decodeRevert.ts'
export { classifySignature, type SignatureKind } from './signature/classifySignature.ts'
export {
  normalizeSignature,
  type SignatureInput,
  type SignatureParts,
} from './signature/normalizeSignature.ts'
export {
  type SignatureQuestion,
  type SignatureScheme,
  SignatureSchemeMissingError,
} from './signature/signatureScheme.ts'
export { WalletNotConnectedError } from './signer/askWallet.ts'
export type {
  AccountSigner,
  EthersSigner,
  EvmSigner,
  ProviderSigner,
  WalletClientSigner,
} from './signer/evmSigner.ts'
export {
  InvalidWalletAnswerError,
  type Signer,
  toSigner,
  UnsupportedSignerError,
} from './signer/toSigner.ts'
export {
  type BuilderOptions,
  InvalidCallError,
  type RawCall,
  type TypedCall,
} from './transactionData/contractCall.ts'
export { decent } from './transactionData/decent.ts'
export {
  type DecodedTransactionData,
  decodeTransactionData,
  InvalidCallDataError,
} from './transactionData/decodeTransactionData.ts'
export { knownTokenId } from './transactionData/knownTokenId.ts'
export { normal } from './transactionData/normal.ts'
export { returned } from './transactionData/returned.ts'
export { safeMint } from './transactionData/safeMint.ts'
export { type SettlementKind, settlementKinds } from './transactionData/settlementKinds.ts'
export {
  NativeValueError,
  type Settlement,
  settlementOf,
  UnknownTransactionTypeError,
} from './transactionData/settlementOf.ts'
export { token } from './transactionData/token.ts'
export { cancelUsdcAuthorization } from './usdcAuthorization/cancelUsdcAuthorization.ts'
export {
  type CancelUsdcAuthorizationTypedData,
  cancelUsdcAuthorizationTypedData,
  hashCancelUsdcAuthorization,
} from './usdcAuthorization/cancelUsdcAuthorizationTypedData.ts'
export { UnknownAuthorizationTypeError } from './usdcAuthorization/checkAuthorizationType.ts'
export { inspectUsdcAuthorization } from './usdcAuthorization/inspectUsdcAuthorization.ts'
export {
  AmbiguousSignatureError,
  parseUsdcAuthorization,
} from './usdcAuthorization/parseUsdcAuthorization.ts'
export {
  NotUsdcError,
  parseUsdcAuthorizationMessage,
} from './usdcAuthorization/parseUsdcAuthorizationMessage.ts'
export { type PaymentOutcomeName, paymentIntentNonce } from './usdcAuthorization/paymentIntentNonce.ts'
export { signUsdcAuthorization } from './usdcAuthorization/signUsdcAuthorization.ts'
export { toUsdcAuthorizationV1, V1NotPossibleError } from './usdcAuthorization/toUsdcAuthorizationV1.ts'
export { toUsdcAuthorizationV2 } from './usdcAuthorization/toUsdcAuthorizationV2.ts'
export type { UsdcAuthorization, UsdcAuthorizationType } from './usdcAuthorization/usdcAuthorization.ts'
export {
  hashUsdcAuthorization,
  type UsdcAuthorizationTypedData,
  usdcAuthorizationTypedData,
} from './usdcAuthorization/usdcAuthorizationTypedData.ts'
export { verifyUsdcAuthorization } from './usdcAuthorization/verifyUsdcAuthorization.ts'
export type { UsdcTokenOverride } from './usdcToken.ts'
export { NoUsdcAuthorizationError, type UsdcToken, usdcToken } from './usdcToken.ts'
export { InvalidFlagError } from './values/checkBoolean.ts'
export { InvalidChainIdError } from './values/checkChainId.ts'
export { InvalidHexError } from './values/checkHex.ts'
export { MissingFieldError, UnknownFieldError } from './values/checkKeys.ts'
export { InvalidTextError } from './values/checkText.ts'
export { ExpiredError, NotYetValidError, TooFarAheadError } from './values/checkTime.ts'
