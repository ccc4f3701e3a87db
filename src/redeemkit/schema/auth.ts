import * as z from 'zod/mini'
import { filledText } from './values.ts'

/** Response of `GET /api/auth` (PROTOCOL.md 2.4 and 8). */
export const authMessageResponse = z.strictObject({
  /** Text for the wallet to sign. */
  message: filledText,
  /** For wallets that cannot sign text: Solana base58, Stellar base64 XDR (PROTOCOL.md 8). */
  transaction: z.optional(z.string()),
})
export type AuthMessageResponse = z.infer<typeof authMessageResponse>

/** Response of `GET /api/auth/session-key` (PROTOCOL.md 2.4): a credential, which expires (PROTOCOL.md 1.3). */
export const sessionKeyResponse = z.strictObject({ key: filledText })
export type SessionKeyResponse = z.infer<typeof sessionKeyResponse>

/** Optional body of `GET /api/auth/session-key`: an empty object (PROTOCOL.md 2.4). */
export const sessionKeyBody = z.strictObject({})
export type SessionKeyBody = z.infer<typeof sessionKeyBody>
