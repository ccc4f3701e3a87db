import * as z from 'zod/mini'
import { blockchain } from './blockchain.ts'
import { cents } from './subtotal.ts'
import { anyAddress, filledText, safeUint } from './values.ts'

/** Body of `POST /api/merchant/credits/mint` (PROTOCOL.md 2.7). */
export const mintBody = z.strictObject({
  wallet: anyAddress,
  blockchain,
  amount: cents,
  /** The same key never mints twice. */
  idempotencyKey: z.optional(filledText),
})
export type MintBody = z.infer<typeof mintBody>

/** Answer of `POST /api/merchant/credits/mint` (PROTOCOL.md 2.7); followed with the job status. */
export const mintResponse = z.strictObject({
  /** Text, or a number with some services: it only ever goes into a path. */
  jobId: z.union([filledText, safeUint], { error: 'expected text that is not empty, or a whole number' }),
})
export type MintResponse = z.infer<typeof mintResponse>

/** Body of `POST /api/merchant/credits/burn` (PROTOCOL.md 2.7): takes credits out of a wallet's balance. */
export const burnBody = z.strictObject({ ...mintBody.shape })
export type BurnBody = z.infer<typeof burnBody>

/** Answer of `POST /api/merchant/credits/burn` (PROTOCOL.md 2.7); followed with the job status. */
export const burnResponse = z.strictObject({ ...mintResponse.shape })
export type BurnResponse = z.infer<typeof burnResponse>
