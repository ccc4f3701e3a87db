import * as z from 'zod/mini'
import { returned } from './loose.ts'
import { filledText } from './values.ts'

/** Body of every response with an error status (PROTOCOL.md 7.1). */
export const errorBody = z.strictObject({
  name: z.string(),
  message: z.string(),
  /** A code of `wireErrors`. Other services may use further codes. */
  code: z.string(),
  /** Details whose form depends on the code (PROTOCOL.md 7.2). */
  details: z.optional(z.unknown()),
  /** For a 400, the paths of the invalid fields, such as `subtotal.cents`. */
  issues: z.optional(z.array(z.string())),
  requestId: z.string(),
})
export type ErrorBody = z.infer<typeof errorBody>

/** `details` of a 412 `CHALLENGE_REQUIRED` (PROTOCOL.md 7.2 and 10.3). */
export const challengeDetails = z.strictObject({
  transactionId: filledText,
  url: filledText,
  creq: z.optional(z.string()),
})
export type ChallengeDetails = z.infer<typeof challengeDetails>

/** `details` of a 451 `VERIFICATION_REQUIRED` (PROTOCOL.md 7.2): the user opens `verificationLink` first, then `redirectLink`. */
export const verificationDetails = z.strictObject({
  /** Other services may omit this field. */
  verificationLink: returned(filledText),
  redirectLink: z.optional(filledText),
  /** Why the last verification was rejected. */
  rejectionReasons: z.optional(z.array(z.string())),
})
export type VerificationDetails = z.infer<typeof verificationDetails>
