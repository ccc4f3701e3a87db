export { InvalidRecordError } from '../core/errors/inputErrors.ts'
export { SiweMismatchError } from './authMessage/checkSiweMessage.ts'
export { InvalidSiweError, parseSiweMessage, type SiweMessage } from './authMessage/parseSiweMessage.ts'
export { PlainTextNotAllowedError, signAuthMessage } from './authMessage/signAuthMessage.ts'
export { verifyAuthMessage } from './authMessage/verifyAuthMessage.ts'
export type { EvmClient } from './client/evmClient.ts'
export { ChainReadError } from './client/readChain.ts'
export { cancelCreditPermit } from './creditPermit/cancelCreditPermit.ts'
export {
  type CancelCreditPermitTypedData,
  cancelCreditPermitTypedData,
  hashCancelCreditPermit,
} from './creditPermit/cancelCreditPermitTypedData.ts'
export type { CreditPermit, CreditPermitDomain } from './creditPermit/creditPermit.ts'
export { type CreditPermitTypedData, creditPermitTypedData } from './creditPermit/creditPermitTypedData.ts'
export { hashCreditPermit } from './creditPermit/hashCreditPermit.ts'
export { inspectCreditPermit } from './creditPermit/inspectCreditPermit.ts'
export { isBoundNonce } from './creditPermit/isBoundNonce.ts'
export { type NonceState, nonceState } from './creditPermit/nonceState.ts'
export { parseCreditPermitMessage } from './creditPermit/parseCreditPermitMessage.ts'
export { redeemIntentNonce } from './creditPermit/redeemIntentNonce.ts'
export { settlementHash } from './creditPermit/settlementHash.ts'
export { signCreditPermit } from './creditPermit/signCreditPermit.ts'
export { verifyCreditPermit } from './creditPermit/verifyCreditPermit.ts'
export { UnknownTypedDataError } from './eip712/readTypedData.ts'
export type { TypedDataDomain, TypedDataMember } from './eip712/typedDataDomain.ts'
export { evmAdapter } from './evmAdapter.ts'
export { inspect } from './inspect/inspect.ts'
export type { InspectOptions } from './inspect/inspectOptions.ts'
export { type EvmNetwork, networkOf, networks, UnknownNetworkError } from './networks.ts'
export { classifySignature, type SignatureKind } from './signature/classifySignature.ts'
export {
  InvalidSignatureError,
  normalizeSignature,
  type SignatureInput,
  type SignatureParts,
} from './signature/normalizeSignature.ts'
export type {
  AccountSigner,
  EthersSigner,
  EvmSigner,
  ProviderSigner,
  WalletClientSigner,
} from './signer/evmSigner.ts'
export { WrongChainError, WrongSignatureError } from './signer/signTypedData.ts'
export {
  InvalidWalletAnswerError,
  type Signer,
  toSigner,
  UnsupportedSignerError,
  UserRejectedError,
  WalletFailedError,
  WalletNotConnectedError,
  WrongAccountError,
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
export {
  InvalidFlagError,
  NativeValueError,
  type Settlement,
  settlementKinds,
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
export { hashUsdcAuthorization } from './usdcAuthorization/hashUsdcAuthorization.ts'
export { inspectUsdcAuthorization } from './usdcAuthorization/inspectUsdcAuthorization.ts'
export {
  AmbiguousSignatureError,
  parseUsdcAuthorization,
} from './usdcAuthorization/parseUsdcAuthorization.ts'
export {
  NotUsdcError,
  parseUsdcAuthorizationMessage,
} from './usdcAuthorization/parseUsdcAuthorizationMessage.ts'
export { signUsdcAuthorization } from './usdcAuthorization/signUsdcAuthorization.ts'
export { toUsdcAuthorizationV1, V1NotPossibleError } from './usdcAuthorization/toUsdcAuthorizationV1.ts'
export { toUsdcAuthorizationV2 } from './usdcAuthorization/toUsdcAuthorizationV2.ts'
export type {
  UsdcAuthorization,
  UsdcAuthorizationType,
  UsdcTokenOverride,
} from './usdcAuthorization/usdcAuthorization.ts'
export {
  type UsdcAuthorizationTypedData,
  usdcAuthorizationTypedData,
} from './usdcAuthorization/usdcAuthorizationTypedData.ts'
export { verifyUsdcAuthorization } from './usdcAuthorization/verifyUsdcAuthorization.ts'
export { NoUsdcAuthorizationError, type UsdcToken, usdcToken } from './usdcToken.ts'
export { InvalidAddressError } from './values/checkAddress.ts'
export { InvalidChainIdError } from './values/checkChainId.ts'
export { InvalidHexError } from './values/checkHex.ts'
export { MissingFieldError, UnknownFieldError } from './values/checkKeys.ts'
export { InvalidTextError } from './values/checkText.ts'
export { ExpiredError, NotYetValidError, TooFarAheadError } from './values/checkTime.ts'
