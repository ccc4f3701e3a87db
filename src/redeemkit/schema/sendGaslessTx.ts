import * as z from 'zod/mini'
import { signedMessages } from './signedMessages.ts'
import { cents, subtotal } from './subtotal.ts'
import { transactionData } from './transactionData.ts'
import { bytes32, freeObject, orderIdText, safeUint, uintText } from './values.ts'

/** Body fields of `sendGaslessTx` without the cart, whose many schemas would enlarge a browser's bundle. */
export const sendGaslessTxFields = {
  merchantId: orderIdText,
  subtotal,
  transactionData,
  signedMessages,
  /** From the answer of `creditsAuthMsg`: unix seconds, exclusive, in decimal digits. */
  validBefore: uintText,
  /** From the answer of `creditsAuthMsg`. */
  nonce: bytes32,
  /** From the answer of `creditsAuthMsg`: raw units of credits (6 decimals). */
  creditsRawAmount: safeUint,
  /** The part of the subtotal that the customer pays in USDC. */
  usdcAmount: z.optional(cents),
}

/**
 * The body as the client checks it: everything except the cart's items, which do not affect what is signed or moved. The service
 * checks them with `sendGaslessTxBody`.
 */
export const sendGaslessTxRequest = z.strictObject({
  ...sendGaslessTxFields,
  chargebackProtectionData: z.optional(z.array(freeObject)),
})
export type SendGaslessTxRequest = z.infer<typeof sendGaslessTxRequest>

/** Answer of `POST /api/redeem/evm/sendGaslessTx` (PROTOCOL.md 2.2). */
export const sendGaslessTxResponse = z.strictObject({
  /** Hash of the transaction as first broadcast; a fee replacement changes it (PROTOCOL.md 7.4). */
  hash: bytes32,
})
export type SendGaslessTxResponse = z.infer<typeof sendGaslessTxResponse>
