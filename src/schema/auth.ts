import * as z from 'zod/mini'
import { filledText } from './values.ts'

/** Answer of `GET /api/auth` (document 1, section 4.10). */
export const authMessageResponse = z.strictObject({
  /** Text for the wallet to sign. */
  message: filledText,
  /** For wallets that cannot sign text: Solana base58, Stellar base64 XDR (decisions, section 8). */
  transaction: z.optional(z.string()),
})
export type AuthMessageResponse = z.infer<typeof authMessageResponse>

/** Answer of `GET /api/auth/session-key` (document 1, section 4.1). A credential, valid for 24 hours. */
export const sessionKeyResponse = z.strictObject({ key: filledText })
export type SessionKeyResponse = z.infer<typeof sessionKeyResponse>

/** Body of `GET /api/auth/session-key` where one is sent: an empty object (document 1, section 4.1). */
export const sessionKeyBody = z.strictObject({})
export type SessionKeyBody = z.infer<typeof sessionKeyBody>
