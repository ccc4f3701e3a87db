import * as z from 'zod/mini'
import { oneOf } from './oneOf.ts'
import { usdCents } from './subtotal.ts'
import { anyAddress, filledText } from './values.ts'

/** Body of `POST /api/merchant/chargebacks/{paymentId}/respond` (PROTOCOL.md 2.7): a text, or a file. */
export const chargebackResponseBody = oneOf(
  [z.strictObject({ response: filledText }), z.strictObject({ fileKey: filledText })],
  { pick: ({ fileKey }) => (fileKey === undefined ? 0 : 1) },
)
export type ChargebackResponseBody = z.infer<typeof chargebackResponseBody>

/** Body of `POST /api/seller/usdc-withdraw` (PROTOCOL.md 2.7). */
export const usdcWithdrawBody = z.strictObject({
  destination: anyAddress,
  amount: usdCents,
  /** The same withdrawal under the same key is made once. */
  idempotencyKey: z.optional(filledText),
})
export type UsdcWithdrawBody = z.infer<typeof usdcWithdrawBody>

/** Answer of `POST /api/seller/usdc-withdraw` (PROTOCOL.md 2.7). */
export const usdcWithdrawResponse = z.strictObject({ transaction: filledText })
export type UsdcWithdrawResponse = z.infer<typeof usdcWithdrawResponse>
