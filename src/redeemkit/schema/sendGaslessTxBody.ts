import * as z from 'zod/mini'
import { chargebackProtectionData } from './cartItem.ts'
import { sendGaslessTxFields } from './redeem.ts'

/** Body of `POST /api/redeem/evm/sendGaslessTx` (PROTOCOL.md 11.19). */
export const sendGaslessTxBody = z.strictObject({
  ...sendGaslessTxFields,
  chargebackProtectionData: z.optional(chargebackProtectionData),
})
export type SendGaslessTxBody = z.infer<typeof sendGaslessTxBody>
