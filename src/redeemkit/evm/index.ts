export {
  AuthMessageExpiredError,
  AuthMessageMismatchError,
  InvalidAuthMessageError,
  PlainTextNotAllowedError,
} from '../core/authMessage.ts'
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
export { formatInspection } from '../core/inspection/formatInspection.ts'
export { InvalidOrderIdError } from '../core/orderId.ts'
export { signAuthMessage } from './authMessage/signAuthMessage.ts'
export { parseSiweMessage, type SiweMessage } from './authMessage/siweMessage.ts'
export { verifyAuthMessage } from './authMessage/verifyAuthMessage.ts'
export type {
  ClearSigningDescriptor,
  ClearSigningField,
  ClearSigningFile,
  ClearSigningTests,
} from './clearSigning/clearSigningFile.ts'
export { creditPermitDescriptor } from './clearSigning/creditPermitDescriptor.ts'
export { usdcAuthorizationDescriptors } from './clearSigning/usdcAuthorizationDescriptors.ts'
export { ChainReadError, type EvmClient } from './client.ts'
export {
  type CancelCreditPermitTypedData,
  cancelCreditPermit,
  cancelCreditPermitTypedData,
  hashCancelCreditPermit,
} from './creditPermit/cancelCreditPermit.ts'
export {
  type CreditPermit,
  type CreditPermitDomain,
  type CreditPermitTypedData,
  creditPermitTypedData,
  hashCreditPermit,
  parseCreditPermitMessage,
} from './creditPermit/creditPermit.ts'
export {
  type DisclosedIntent,
  disclosedIntentOf,
  redeemIntentCapability,
  redeemIntentVersion,
} from './creditPermit/disclosedIntent.ts'
export { inspectCreditPermit } from './creditPermit/inspectCreditPermit.ts'
export type {
  InspectContext,
  InspectPins,
  RedeemPins,
  SignedPermit,
} from './creditPermit/inspectOptions.ts'
export { commitmentOf, isIntentBoundNonce, orderKey, orderKeyOf } from './creditPermit/orderKey.ts'
export { type OrderState, orderState } from './creditPermit/orderState.ts'
export type { RedeemRequest } from './creditPermit/redeemIntent.ts'
export { redeemIntentNonce, settlementHash } from './creditPermit/redeemIntentNonce.ts'
export { signCreditPermit, verifyCreditPermit } from './creditPermit/signCreditPermit.ts'
export { evmAdapter } from './evmAdapter.ts'
export { inspect } from './inspect/inspect.ts'
export { type EvmNetwork, networkOf, networks } from './networks.ts'
export { UnknownTypedDataError } from './readTypedData.ts'
export { type DecodedRevert, decodeRevert } from './revert/decodeRevert.ts'
export {
  classifySignature,
  normalizeSignature,
  type SignatureInput,
  type SignatureKind,
  type SignatureParts,
} from './signature/normalizeSignature.ts'
export {
  type SignatureQuestion,
  type SignatureScheme,
  SignatureSchemeMissingError,
} from './signature/signatureScheme.ts'
export { WalletNotConnectedError } from './signer/askWallet.ts'
export {
  type AccountSigner,
  type EthersSigner,
  type EvmSigner,
  InvalidWalletAnswerError,
  type ProviderSigner,
  type Signer,
  toSigner,
  UnsupportedSignerError,
  type WalletClientSigner,
} from './signer/toSigner.ts'
export { decent, knownTokenId, normal, returned, safeMint, token } from './transactionData/builders.ts'
export {
  type BuilderOptions,
  InvalidCallError,
  type RawCall,
  type TypedCall,
} from './transactionData/contractCall.ts'
export {
  type DecodedTransactionData,
  decodeTransactionData,
  InvalidCallDataError,
} from './transactionData/decodeTransactionData.ts'
export {
  NativeValueError,
  type Settlement,
  type SettlementKind,
  settlementKinds,
  settlementOf,
  UnknownTransactionTypeError,
} from './transactionData/settlementOf.ts'
export type { TypedDataDomain, TypedDataMember } from './typedData.ts'
export {
  type CancelUsdcAuthorizationTypedData,
  cancelUsdcAuthorization,
  cancelUsdcAuthorizationTypedData,
  hashCancelUsdcAuthorization,
} from './usdcAuthorization/cancelUsdcAuthorization.ts'
export { inspectUsdcAuthorization } from './usdcAuthorization/inspectUsdcAuthorization.ts'
export { type PaymentOutcomeName, paymentIntentNonce } from './usdcAuthorization/paymentIntentNonce.ts'
export { signUsdcAuthorization, verifyUsdcAuthorization } from './usdcAuthorization/signUsdcAuthorization.ts'
export {
  hashUsdcAuthorization,
  NotUsdcError,
  parseUsdcAuthorizationMessage,
  UnknownAuthorizationTypeError,
  type UsdcAuthorization,
  type UsdcAuthorizationType,
  type UsdcAuthorizationTypedData,
  usdcAuthorizationTypedData,
} from './usdcAuthorization/usdcAuthorization.ts'
export {
  AmbiguousSignatureError,
  parseUsdcAuthorization,
  toUsdcAuthorizationV1,
  toUsdcAuthorizationV2,
  V1NotPossibleError,
} from './usdcAuthorization/usdcAuthorizationRecord.ts'
export { NoUsdcAuthorizationError, type UsdcToken, type UsdcTokenOverride, usdcToken } from './usdcToken.ts'
export {
  ExpiredError,
  InvalidChainIdError,
  InvalidFlagError,
  InvalidHexError,
  InvalidTextError,
  MissingFieldError,
  NotYetValidError,
  TooFarAheadError,
  UnknownFieldError,
} from './values.ts'
