import * as z from 'zod/mini'
import { returned } from './loose.ts'
import { filledText } from './values.ts'

/** Body of `POST /api/tokenize` (PROTOCOL.md 2.6). Card data: never log it. */
export const tokenizeBody = z.strictObject({
  number: filledText,
  cvv: filledText,
  expMonth: filledText,
  expYear: filledText,
})
export type TokenizeBody = z.infer<typeof tokenizeBody>

/** A card token (PROTOCOL.md 11.10). */
export const cardToken = z.strictObject({
  token: z.string(),
  firstSix: returned(z.string()),
  lastFour: returned(z.string()),
  referenceNumber: returned(z.string()),
  success: returned(z.boolean()),
  error: returned(z.string()),
  message: returned(z.string()),
})
export type CardToken = z.infer<typeof cardToken>

/** When a card payment requires a 3DS challenge (PROTOCOL.md 11.15). */
export const threeDsChallengePreference = z.enum(['NoPreference', 'Frictionless', 'Challenge'])
export type ThreeDsChallengePreference = z.infer<typeof threeDsChallengePreference>
