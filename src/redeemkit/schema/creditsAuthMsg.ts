import * as z from 'zod/mini'
import { cents, subtotal } from './subtotal.ts'
import { transactionData } from './transactionData.ts'
import { usdcAuthorizationMessage } from './usdcAuthorization.ts'
import { bytes32, freeObject, orderIdText, orderKey, safeUint, uintText } from './values.ts'

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
