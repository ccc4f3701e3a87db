import * as z from 'zod/mini'
import { chargebackProtectionData } from './cartItem.ts'
import { sendGaslessTxFields } from './sendGaslessTx.ts'

/** Body of `POST /api/redeem/evm/sendGaslessTx` (document 1, section 4.9). */
export const sendGaslessTxBody = z.strictObject({
  ...sendGaslessTxFields,
  chargebackProtectionData: z.optional(chargebackProtectionData),
})
export type SendGaslessTxBody = z.infer<typeof sendGaslessTxBody>
