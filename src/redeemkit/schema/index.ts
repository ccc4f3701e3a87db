export { InvalidRecordError, type RecordIssue } from '../core/errors/inputErrors.ts'
export * from './auth.ts'
export * from './card.ts'
export * from './cartItem.ts'
export {
  type Authentication3DS,
  authentication3DS,
  type CardAddress,
  type CardCheckoutBody,
  type CardCheckoutResponse,
  type CardOnFileBody,
  type CheckoutJwtBody,
  type CheckoutJwtResponse,
  cardAddress,
  cardCheckoutBody,
  cardCheckoutResponse,
  cardOnFileBody,
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
export * from './contractAddress.ts'
export { type CustomerInfo, customerInfo } from './customerInfo.ts'
export { endpoints } from './endpoints/endpoints.ts'
export type { Endpoint, EndpointHeader } from './endpoints/routes.ts'
export * from './errorBody.ts'
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
  type BurnBody,
  type BurnResponse,
  burnBody,
  burnResponse,
  type ChargebackResponseBody,
  chargebackResponseBody,
  type JobStatus,
  jobStatus,
  type MintBody,
  type MintResponse,
  mintBody,
  mintResponse,
  type ProgramBody,
  programBody,
  type Refund,
  type RefundBody,
  type RefundResponse,
  refund,
  refundBody,
  refundResponse,
  type UsdcWithdrawBody,
  type UsdcWithdrawResponse,
  usdcWithdrawBody,
  usdcWithdrawResponse,
} from './merchantOperations.ts'
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
export * from './purchase.ts'
export {
  type CreditsAuthMsgBody,
  type CreditsAuthMsgResponse,
  creditsAuthMsgBody,
  creditsAuthMsgResponse,
  type SendGaslessTxResponse,
  type SignedMessages,
  sendGaslessTxResponse,
  signedMessages,
} from './redeem.ts'
export { type SendGaslessTxBody, sendGaslessTxBody } from './sendGaslessTxBody.ts'
export * from './subscription.ts'
export * from './subtotal.ts'
export * from './totals.ts'
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
export * from './usdcAuthorization.ts'
export {
  type Blockchain,
  blockchain,
  bytes32,
  emptyAnswer,
  evmAddress,
  type Hex,
  hexData,
  selector,
  uintText,
} from './values.ts'
export * from './verification.ts'
export * from './webhookEvent.ts'
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
