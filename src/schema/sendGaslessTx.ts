import * as z from 'zod/mini'
import { chargebackProtectionData } from './cartItem.ts'
import { signedMessages } from './signedMessages.ts'
import { cents, subtotal } from './subtotal.ts'
import { transactionData } from './transactionData.ts'
import { bytes32, filledText, safeUint, uintText } from './values.ts'

/** Body of `POST /api/redeem/evm/sendGaslessTx` (document 1, section 4.9). */
export const sendGaslessTxBody = z.strictObject({
  merchantId: filledText,
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
  chargebackProtectionData: z.optional(chargebackProtectionData),
})
export type SendGaslessTxBody = z.infer<typeof sendGaslessTxBody>

/** Answer of `POST /api/redeem/evm/sendGaslessTx` (document 1, section 4.9). */
export const sendGaslessTxResponse = z.strictObject({
  /** Hash of the transaction as first broadcast; a fee replacement changes it (decisions, section 7). */
  hash: bytes32,
})
export type SendGaslessTxResponse = z.infer<typeof sendGaslessTxResponse>
