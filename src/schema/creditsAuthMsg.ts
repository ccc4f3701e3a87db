import * as z from 'zod/mini'
import { cents, subtotal } from './subtotal.ts'
import { transactionData } from './transactionData.ts'
import { usdcAuthorizationMessage } from './usdcAuthorization.ts'
import { bytes12, bytes32, filledText, freeObject, safeUint, uintText } from './values.ts'

/** Body of `POST /api/redeem/evm/creditsAuthMsg` (PROTOCOL.md 2.2). */
export const creditsAuthMsgBody = z.strictObject({
  merchantId: filledText,
  subtotal,
  transactionData,
  /** The part of the subtotal that the customer pays in USDC. */
  usdcAmount: z.optional(cents),
  /** 32 random bytes that the client chose. */
  salt: z.optional(bytes32),
  /** 12 bytes that name the order: of `purchaseId`, or drawn by the client. */
  orderKey: z.optional(bytes12),
  /** The merchant's order id. */
  purchaseId: z.optional(filledText),
  /** Comes back in the merchant's webhooks as the customer's word. */
  webhookInfo: z.optional(freeObject),
})
export type CreditsAuthMsgBody = z.infer<typeof creditsAuthMsgBody>

/** Answer of `POST /api/redeem/evm/creditsAuthMsg` (PROTOCOL.md 2.2). */
export const creditsAuthMsgResponse = z.strictObject({
  /** Complete typed data of the credit permit as JSON text. */
  message: z.string(),
  /** Unix seconds, exclusive, in decimal digits. */
  validBefore: uintText,
  nonce: bytes32,
  /** Raw units of credits (6 decimals), the most that may be charged. */
  creditsRawAmount: safeUint,
  /** The client's own salt, echoed. */
  salt: z.optional(bytes32),
  /** The order key of the nonce: the first 12 bytes. */
  orderKey: z.optional(bytes12),
  usdcAuthorization: z.optional(usdcAuthorizationMessage),
})
export type CreditsAuthMsgResponse = z.infer<typeof creditsAuthMsgResponse>
