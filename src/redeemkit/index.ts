export type { ClientOptions, RetryOptions } from './api/clientOptions.ts'
export {
  createPaymentsClient,
  type HasSessionKey,
  type PaymentsClient,
} from './api/createPaymentsClient.ts'
export { getAuthMessage, verifyAuth } from './api/endpoints/auth.ts'
export { cardCheckout, savedCardCheckout, zeroAuthorization } from './api/endpoints/cards.ts'
export { getTotals, pixCheckout, wireTokenCheckout } from './api/endpoints/checkout.ts'
export { findPayments, getBalances, getPurchases, getSavedCards } from './api/endpoints/customer.ts'
export {
  creditsAuthMsg,
  getContractAddress,
  sendGaslessTx,
  usdcAuthorizationMessage,
} from './api/endpoints/redeem.ts'
export { getPlans, purchaseSubscription } from './api/endpoints/subscription.ts'
export {
  InvalidAnswerError,
  isServiceError,
  OutcomeUnknownError,
  PaymentOutcomeUnknownError,
  RequestAbortedError,
  type ServiceError,
  ServiceTimeoutError,
  ServiceUnreachableError,
  SessionKeyError,
  type UnknownServiceError,
  VerificationError,
} from './api/errors.ts'
export { InvalidAuthSignatureError, login, NoAdapterError, WrongWalletError } from './auth/login.ts'
export { CardFormError, CardRefusedError } from './cardForm/errors.ts'
export { mountPurchase } from './cardForm/mountPurchase.ts'
export type { PurchaseOptions, PurchaseOrder } from './cardForm/purchaseOptions.ts'
export type { PurchaseTheme, PurchaseVariable } from './cardForm/readLook.ts'
export type { PaymentPins, PaymentTerms } from './checkout/paymentIntent.ts'
export { signPaymentUsdc } from './checkout/signPaymentUsdc.ts'
export { formatAmount, InvalidAmountError, parseAmount } from './core/amount.ts'
export {
  type Blockchain,
  type Environment,
  type EvmBlockchain,
  UnsupportedBlockchainError,
} from './core/blockchains.ts'
export type { ChainAdapter } from './core/chainAdapter.ts'
export { InvalidClockError } from './core/clock.ts'
export { BaseError } from './core/errors/baseError.ts'
export {
  InvalidAddressError,
  InvalidOptionError,
  InvalidRecordError,
  InvalidSignatureError,
  type RecordIssue,
  UnknownNetworkError,
} from './core/errors/inputErrors.ts'
export { ForeignCause } from './core/errors/safeCause.ts'
export {
  AccountChangedError,
  UserRejectedError,
  WalletFailedError,
  WalletRequestPendingError,
  WrongNetworkError,
  WrongSignatureError,
  WrongSignerError,
} from './core/errors/walletErrors.ts'
export { type WireErrorCode, type WireRemedy, wireErrors } from './core/errors/wireErrors.ts'
export { explorerUrl } from './core/explorerUrl.ts'
export type { Finding, Grant, Move, Verdict } from './core/finding/finding.ts'
export { type InspectionKind, inspectionKinds } from './core/finding/finding.ts'
export type { Severity } from './core/finding/findingCatalogue.ts'
export { type FindingCode, findingCatalogue } from './core/finding/findingCatalogue.ts'
export { formatUsd } from './core/formatUsd.ts'
export type {
  Inspection,
  InspectionDigests,
  InspectionLine,
  InspectionSentence,
  InspectionValue,
} from './core/inspection/inspection.ts'
export { fromJson, toJson } from './core/json.ts'
export { ModuleLoadError } from './core/loadModule.ts'
export { InvalidOrderIdError } from './core/orderId.ts'
export { InvalidJsonError, UnsafeJsonNumberError } from './core/parseJson.ts'
export { userMessage } from './core/userMessage/userMessage.ts'
export type { UserMessageKey, UserMessages } from './core/userMessage/userMessages.ts'
export { verificationLinkOf } from './core/userMessage/verificationLinkOf.ts'
export type { EvmClient } from './evm/client.ts'
export { ChainReadError } from './evm/client.ts'
export { UnknownTypedDataError } from './evm/readTypedData.ts'
export { WalletNotConnectedError } from './evm/signer/askWallet.ts'
export type { EvmSigner } from './evm/signer/toSigner.ts'
export {
  InvalidWalletAnswerError,
  UnsupportedSignerError,
} from './evm/signer/toSigner.ts'
export {
  NativeValueError,
  UnknownTransactionTypeError,
} from './evm/transactionData/settlementOf.ts'
export { NotUsdcError } from './evm/usdcAuthorization/usdcAuthorization.ts'
export { V1NotPossibleError } from './evm/usdcAuthorization/usdcAuthorizationRecord.ts'
export { NoUsdcAuthorizationError } from './evm/usdcToken.ts'
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
} from './evm/values.ts'
export type { RandomNonceLookUp, RandomNonceOutcome, Searched } from './redeem/chain/lookUpRandomNonce.ts'
export type { RedeemState } from './redeem/chain/lookUpRedeem.ts'
export type { RedeemOutcome, TokenMovement } from './redeem/chain/readLogs.ts'
export type { RedeemRevert } from './redeem/chain/readRevert.ts'
export { checkPrepared } from './redeem/checkPrepared.ts'
export { checkRedeem } from './redeem/checkRedeem.ts'
export { describeSigning, signingLines } from './redeem/describeSigning.ts'
export * from './redeem/errors.ts'
export { findRedeem } from './redeem/findRedeem.ts'
export { isOpenRedeemError } from './redeem/isOpenRedeemError.ts'
export { listOpenRedeems, type OpenPurchase, type UnreadablePurchase } from './redeem/listOpenRedeems.ts'
export type { OpenRedeem, OpenRedeemError } from './redeem/openRedeem.ts'
export type {
  PreparedRedeem,
  RedeemPins,
  RedeemRequest,
  SignedRedeem,
  SubmittedRedeem,
  TypedDataJson,
} from './redeem/preparedRedeem.ts'
export { prepareRedeem } from './redeem/prepareRedeem.ts'
export type { OtherChain } from './redeem/purchase/checkOtherContracts.ts'
export type { PurchaseStorage } from './redeem/purchase/purchaseStorage.ts'
export { redeem } from './redeem/redeem.ts'
export type { CheckedPurchase, ReadyRedeem } from './redeem/redeemOptions.ts'
export type { RedeemEvent, RedeemStep, SigningStep } from './redeem/redeemStep.ts'
export { signRedeem } from './redeem/signRedeem.ts'
export { submitRedeem } from './redeem/submitRedeem.ts'
export { waitForRedeem } from './redeem/waitForRedeem.ts'
export type { RedeemSubtotal, Subtotal } from './schema/subtotal.ts'
export type { TransactionData } from './schema/transactionData.ts'
export type { UsdcAuthorizationV1, UsdcAuthorizationV2 } from './schema/usdcAuthorization.ts'
