import * as z from 'zod/mini'
import { filledText } from './values.ts'

/** Response of `GET /api/auth` (PROTOCOL.md 2.4 and 8). */
export const authMessageResponse = z.strictObject({
  /** The text that the wallet must sign. */
  message: filledText,
  /** For wallets that cannot sign text: a transaction in base58 (Solana) or base64 XDR (Stellar) (PROTOCOL.md 8). */
  transaction: z.optional(z.string()),
})
export type AuthMessageResponse = z.infer<typeof authMessageResponse>

/** Response of `GET /api/auth/session-key` (PROTOCOL.md 2.4). The key is a credential that expires (PROTOCOL.md 1.3). */
export const sessionKeyResponse = z.strictObject({ key: filledText })
export type SessionKeyResponse = z.infer<typeof sessionKeyResponse>

/** Optional body of `GET /api/auth/session-key`: an empty object (PROTOCOL.md 2.4). */
export const sessionKeyBody = z.strictObject({})
export type SessionKeyBody = z.infer<typeof sessionKeyBody>
