import * as z from 'zod/mini'
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
  firstSix: z.string(),
  lastFour: z.string(),
  referenceNumber: z.string(),
  success: z.boolean(),
  error: z.string(),
  message: z.string(),
})
export type CardToken = z.infer<typeof cardToken>
