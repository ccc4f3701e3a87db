import * as z from 'zod/mini'
import { oneVersionExpected } from './formats.ts'
import { cents, subtotal } from './subtotal.ts'
import { transactionData } from './transactionData.ts'
import { usdcAuthorizationMessage, usdcAuthorizationV1, usdcAuthorizationV2 } from './usdcAuthorization.ts'
import { bytes32, freeObject, hexData, orderIdText, orderKey, safeUint, uintText } from './values.ts'

/** Body of `POST /api/redeem/evm/creditsAuthMsg` (PROTOCOL.md 2.2). */
export const creditsAuthMsgBody = z.strictObject({
  merchantId: orderIdText,
  subtotal,
  transactionData,
  /** The part of the subtotal that the customer pays in USDC. */
  usdcAmount: z.optional(cents),
  /** 32 random bytes that the client chooses. */
  salt: z.optional(bytes32),
  /** The order key, which becomes the first 12 bytes of the nonce. Derived from `purchaseId`, or random. */
  orderKey: z.optional(orderKey),
  /** The merchant's order id. `orderKey` must be derived from it. */
  purchaseId: z.optional(orderIdText),
  /** Any data from the page. The merchant's webhooks return it. */
  webhookInfo: z.optional(freeObject),
})
export type CreditsAuthMsgBody = z.infer<typeof creditsAuthMsgBody>

/** Response of `POST /api/redeem/evm/creditsAuthMsg` (PROTOCOL.md 2.2). */
export const creditsAuthMsgResponse = z.strictObject({
  /** Complete typed data of the credit permit as JSON text. */
  message: z.string(),
  /** Expiry of the permit: unix seconds, exclusive, as decimal text. */
  validBefore: uintText,
  nonce: bytes32,
  /** Maximum charge in raw units of credits (6 decimals). */
  creditsRawAmount: safeUint,
  /** The salt of the request. */
  salt: z.optional(bytes32),
  /** The order key of the request. */
  orderKey: z.optional(orderKey),
  usdcAuthorization: z.optional(usdcAuthorizationMessage),
})
export type CreditsAuthMsgResponse = z.infer<typeof creditsAuthMsgResponse>

/** The customer's signatures for a redeem (PROTOCOL.md 11.19). A USDC authorization must be either V1 or V2 (PROTOCOL.md 5.2). */
export const signedMessages = z
  .strictObject({
    /** The signature of the credit permit: bytes of any length (PROTOCOL.md 3.4). */
    permitCredits: hexData,
    customerUsdcAuthData: z.optional(usdcAuthorizationV1),
    customerUsdcAuthDataV2: z.optional(usdcAuthorizationV2),
  })
  .check(
    z.refine((record) => !record.customerUsdcAuthData || !record.customerUsdcAuthDataV2, {
      path: ['customerUsdcAuthDataV2'],
      error: oneVersionExpected,
      when: ({ issues }) => issues.length === 0,
    }),
  )
export type SignedMessages = z.infer<typeof signedMessages>

/** Excludes the cart, whose many schemas would enlarge a browser bundle. */
export const sendGaslessTxFields = {
  merchantId: orderIdText,
  subtotal,
  transactionData,
  signedMessages,
  /** `validBefore` from the response of `creditsAuthMsg`: unix seconds, exclusive, as decimal text. */
  validBefore: uintText,
  /** The permit's nonce from the response of `creditsAuthMsg`. */
  nonce: bytes32,
  /** The permit's amount from the response of `creditsAuthMsg`, in raw units of credits (6 decimals). */
  creditsRawAmount: safeUint,
  /** The part of the subtotal that the customer pays in USDC. */
  usdcAmount: z.optional(cents),
}

/** The items of the cart affect neither a signature nor an amount, so only the service validates them. */
export const sendGaslessTxRequest = z.strictObject({
  ...sendGaslessTxFields,
  chargebackProtectionData: z.optional(z.array(freeObject)),
})
export type SendGaslessTxRequest = z.infer<typeof sendGaslessTxRequest>

/** Response of `POST /api/redeem/evm/sendGaslessTx` (PROTOCOL.md 2.2). */
export const sendGaslessTxResponse = z.strictObject({
  /** Hash of the transaction as first broadcast. It changes if the service replaces the transaction to raise its fee (PROTOCOL.md 7.4). */
  hash: bytes32,
})
export type SendGaslessTxResponse = z.infer<typeof sendGaslessTxResponse>
