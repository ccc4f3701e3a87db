import * as z from 'zod/mini'
import { byteFormat, unixTimeFormat } from './formats.ts'
import { cents } from './subtotal.ts'
import { bytes32, evmAddress, hexData, uintText } from './values.ts'

/** Unix seconds: decimal text, or a whole JSON number. */
const unixTime = z.union(
  [uintText, z.int(unixTimeFormat.expected).check(z.nonnegative(unixTimeFormat.expected))],
  { error: unixTimeFormat.expected },
)

const authorization = {
  from: evmAddress,
  to: evmAddress,
  /** Raw units of USDC, as decimal text. */
  value: uintText,
  /** Unix seconds, exclusive. */
  validAfter: unixTime,
  /** Unix seconds, exclusive. */
  validBefore: unixTime,
  nonce: bytes32,
}

/** A customer's USDC authorization without the signature (PROTOCOL.md 11.7; EIP-3009). */
export const usdcAuthorizationMessageData = z.strictObject(authorization)
export type UsdcAuthorizationMessageData = z.infer<typeof usdcAuthorizationMessageData>

/** V1: a customer's USDC authorization with the signature as `v`, `r`, `s`, for EOAs without code (PROTOCOL.md 11.7). */
export const usdcAuthorizationV1 = z.strictObject({
  ...authorization,
  /** Recovery value as the wallet returned it: 27 or 28, from some wallets 0 or 1. */
  v: z.int(byteFormat.expected).check(z.gte(0, byteFormat.expected), z.lte(255, byteFormat.expected)),
  r: bytes32,
  s: bytes32,
})
export type UsdcAuthorizationV1 = z.infer<typeof usdcAuthorizationV1>

/** V2: a customer's USDC authorization with one signature of any length, for every kind of account (PROTOCOL.md 11.7). */
export const usdcAuthorizationV2 = z.strictObject({ ...authorization, signature: hexData })
export type UsdcAuthorizationV2 = z.infer<typeof usdcAuthorizationV2>

/** Body of `POST /api/checkout/evm/usdc-authorization` (PROTOCOL.md 2.3). */
export const usdcAuthorizationBody = z.strictObject({
  amount: cents,
  paymentId: z.optional(z.string()),
  /** The nonce that the client computed from the order and its terms. Services with random nonces ignore it and choose a nonce. */
  nonce: z.optional(bytes32),
})
export type UsdcAuthorizationBody = z.infer<typeof usdcAuthorizationBody>

/**
 * Response of `POST /api/checkout/evm/usdc-authorization`, and the field `usdcAuthorization` in the response of
 * `creditsAuthMsg` (PROTOCOL.md 11.7).
 */
export const usdcAuthorizationMessage = z.strictObject({
  /** Complete typed data as JSON text. */
  message: z.string(),
  messageData: usdcAuthorizationMessageData,
})
export type UsdcAuthorizationMessage = z.infer<typeof usdcAuthorizationMessage>
