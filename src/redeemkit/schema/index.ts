export { InvalidRecordError, type RecordIssue } from '../core/errors/inputErrors.ts'
export {
  type AuthMessageResponse,
  authMessageResponse,
  type SessionKeyBody,
  type SessionKeyResponse,
  sessionKeyBody,
  sessionKeyResponse,
} from './auth.ts'
export { type BalancesResponse, balancesResponse } from './balances.ts'
export { type Blockchain, blockchain } from './blockchain.ts'
export { type CardToken, cardToken, type TokenizeBody, tokenizeBody } from './cardToken.ts'
export {
  type BaseItem,
  baseItem,
  type CartItem,
  type ChargebackProtectionData,
  type CryptoItem,
  cartItem,
  chargebackProtectionData,
  cryptoItem,
  type GiftCardItem,
  giftCardItem,
  type MoneyTopUpItem,
  moneyTopUpItem,
  productTypes,
  type TravelItem,
  travelItem,
} from './cartItem.ts'
export {
  type Authentication3DS,
  authentication3DS,
  type CardAddress,
  type CardCheckoutBody,
  type CardCheckoutResponse,
  type CheckoutJwtBody,
  type CheckoutJwtResponse,
  cardAddress,
  cardCheckoutBody,
  cardCheckoutResponse,
  checkoutJwtBody,
  checkoutJwtResponse,
  type MobileAppBody,
  type MobileAppResponse,
  mobileAppBody,
  mobileAppResponse,
  type PixBody,
  type PixResponse,
  pixBody,
  pixResponse,
  type SavedCard,
  type SavedCardBody,
  type SettlementType,
  savedCard,
  savedCardBody,
  settlementType,
  type TotalsBody,
  totalsBody,
  type VoidBody,
  voidBody,
  type WebhookInfo,
  type WireTokenBody,
  type WireTokenResponse,
  webhookInfo,
  wireTokenBody,
  wireTokenResponse,
  type ZeroAuthorizationBody,
  type ZeroAuthorizationResponse,
  zeroAuthorizationBody,
  zeroAuthorizationResponse,
} from './checkout.ts'
export {
  type ContractAddressQuery,
  type ContractAddressResponse,
  contractAddressQuery,
  contractAddressResponse,
} from './contractAddress.ts'
export {
  type CreditsAuthMsgBody,
  type CreditsAuthMsgResponse,
  creditsAuthMsgBody,
  creditsAuthMsgResponse,
} from './creditsAuthMsg.ts'
export { type Currency, currencies, currency } from './currency.ts'
export { type CustomerInfo, customerInfo } from './customerInfo.ts'
export { type CustomPayInFee, customPayInFee } from './customPayInFee.ts'
export type { Endpoint, EndpointHeader } from './endpoints/endpoint.ts'
export { endpoints } from './endpoints/endpoints.ts'
export {
  type ChallengeDetails,
  challengeDetails,
  type ErrorBody,
  errorBody,
  type VerificationDetails,
  verificationDetails,
} from './errorBody.ts'
export { type JobStatus, jobStatus } from './jobStatus.ts'
export { loose } from './loose.ts'
export {
  type CardSettings,
  cardSettings,
  type FeeMode,
  feeMode,
  type Merchant,
  merchant,
  type RoleScope,
  roleScope,
  type VelocitySettings,
  velocityRails,
  velocitySettings,
  withdrawRails,
} from './merchant.ts'
export {
  type ChargebackResponseBody,
  chargebackResponseBody,
  type UsdcWithdrawBody,
  type UsdcWithdrawResponse,
  usdcWithdrawBody,
  usdcWithdrawResponse,
} from './merchantOperations.ts'
export {
  type BurnBody,
  type BurnResponse,
  burnBody,
  burnResponse,
  type MintBody,
  type MintResponse,
  mintBody,
  mintResponse,
} from './mint.ts'
export { openApiDocument } from './openApi/openApiDocument.ts'
export { parseRecord } from './parseRecord.ts'
export {
  type MerchantInitiatedTransactionBody,
  type MerchantInitiatedTransactionResponse,
  merchantInitiatedTransactionBody,
  merchantInitiatedTransactionResponse,
  type Payment,
  type PaymentRail,
  type PaymentStatus,
  payment,
  paymentRails,
  paymentStatus,
} from './payment.ts'
export { type ProgramBody, programBody } from './program.ts'
export {
  type Purchase,
  type PurchasesQuery,
  type PurchasesResponse,
  purchase,
  purchasesQuery,
  purchasesResponse,
} from './purchase.ts'
export {
  type Refund,
  type RefundBody,
  type RefundResponse,
  refund,
  refundBody,
  refundResponse,
} from './refund.ts'
export { type SendGaslessTxResponse, sendGaslessTxResponse } from './sendGaslessTx.ts'
export { type SendGaslessTxBody, sendGaslessTxBody } from './sendGaslessTxBody.ts'
export { type SignedMessages, signedMessages } from './signedMessages.ts'
export {
  type PurchaseSubscriptionBody,
  type PurchaseSubscriptionResponse,
  purchaseSubscriptionBody,
  purchaseSubscriptionResponse,
  type Subscription,
  type SubscriptionPlan,
  type SubscriptionStatus,
  subscription,
  subscriptionPlan,
  subscriptionStatus,
} from './subscription.ts'
export {
  type Cents,
  type CurrencyCents,
  cents,
  currencyCents,
  type RedeemSubtotal,
  redeemSubtotal,
  type Subtotal,
  subtotal,
  type TokenSubtotal,
  tokenSubtotal,
  type UsdCents,
  usdCents,
} from './subtotal.ts'
export { type ThreeDsChallengePreference, threeDsChallengePreference } from './threeDsChallengePreference.ts'
export { type Totals, type TotalsResponse, totals, totalsResponse } from './totals.ts'
export {
  type Decent,
  decent,
  type KnownTokenId,
  knownTokenId,
  type Normal,
  normal,
  type Returned,
  returned,
  type SafeMint,
  safeMint,
  type Token,
  type TransactionData,
  token,
  transactionData,
} from './transactionData.ts'
export { type TransactionDataKind, transactionDataKind } from './transactionDataKind.ts'
export {
  type UsdcAuthorizationBody,
  type UsdcAuthorizationMessage,
  type UsdcAuthorizationMessageData,
  type UsdcAuthorizationV1,
  type UsdcAuthorizationV2,
  usdcAuthorizationBody,
  usdcAuthorizationMessage,
  usdcAuthorizationMessageData,
  usdcAuthorizationV1,
  usdcAuthorizationV2,
} from './usdcAuthorization.ts'
export { bytes32, emptyAnswer, evmAddress, type Hex, hexData, selector, uintText } from './values.ts'
export {
  type Owner,
  owner,
  type Verification,
  type VerificationStatus,
  verification,
  verificationStatus,
} from './verification.ts'
export {
  type CreditsEventData,
  creditsEventData,
  type RedeemEventData,
  redeemEventData,
  type WebhookEvent,
  type WebhookEventType,
  type WhitelistEventData,
  type WithdrawalEventData,
  webhookEvent,
  webhookEventTypes,
  whitelistEventData,
  withdrawalEventData,
} from './webhookEvent.ts'
export {
  type IbanBody,
  type IbanResponse,
  ibanBody,
  ibanResponse,
  type KybBody,
  type KybResponse,
  type KycValidateBody,
  type KycValidateResponse,
  kybBody,
  kybResponse,
  kycValidateBody,
  kycValidateResponse,
  type Withdrawer,
  withdrawer,
} from './withdrawal.ts'
