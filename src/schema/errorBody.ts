import * as z from 'zod/mini'

/** Body of every answer with an error status (PROTOCOL.md 7.1). */
export const errorBody = z.strictObject({
  name: z.string(),
  message: z.string(),
  /** One of the codes of `wireErrors`; other services may use others. */
  code: z.string(),
  /** What belongs to the code: `revertReason`, `verificationLink`, `transactionId` and `url`, … */
  details: z.optional(z.unknown()),
  /** Paths of the fields at fault, for a 400: `subtotal.cents`. */
  issues: z.optional(z.array(z.string())),
  requestId: z.string(),
})
export type ErrorBody = z.infer<typeof errorBody>
