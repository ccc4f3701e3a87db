import * as z from 'zod/mini'
import { usdcAuthorizationV1, usdcAuthorizationV2 } from './usdcAuthorization.ts'
import { hexData } from './values.ts'

/** What the customer signed for a redeem (document 1, section 4.9). V1 and V2 at once is an error (decisions, section 5). */
export const signedMessages = z
  .strictObject({
    /** The signature of the credit permit: opaque bytes of any length (decisions, section 3). */
    permitCredits: hexData,
    customerUsdcAuthData: z.optional(usdcAuthorizationV1),
    customerUsdcAuthDataV2: z.optional(usdcAuthorizationV2),
  })
  .check(
    z.refine((record) => !record.customerUsdcAuthData || !record.customerUsdcAuthDataV2, {
      path: ['customerUsdcAuthDataV2'],
      error: 'expected only one of customerUsdcAuthData and customerUsdcAuthDataV2',
    }),
  )
export type SignedMessages = z.infer<typeof signedMessages>
