import * as z from 'zod/mini'
import { oneVersionExpected } from './formats.ts'
import { usdcAuthorizationV1, usdcAuthorizationV2 } from './usdcAuthorization.ts'
import { hexData } from './values.ts'

/**
 * What the customer signed for a redeem (PROTOCOL.md 11.19). V1 and V2 at once is an error (PROTOCOL.md 5.2).
 */
export const signedMessages = z
  .strictObject({
    /** The signature of the credit permit: opaque bytes of any length (PROTOCOL.md 3.4). */
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
