import * as z from 'zod/mini'

const whole = (least: number, most: number) => {
  const expected = `expected a whole number from ${least} to ${most}`
  return z.int(expected).check(z.minimum(least, expected), z.maximum(most, expected))
}

const share = 'expected a number above 0, at most 1'

/** Body of `POST /sandbox/fault` (PROTOCOL.md 2.10). */
export const faultBody = z.strictObject({
  /** Paths that it strikes; `*` stands for any text. */
  path: z
    .string()
    .check(z.regex(/^\/(api|health)[^\s]{0,200}$/, 'expected a path under /api, in which * is any text')),
  method: z.optional(z.enum(['GET', 'POST'])),
  /** `slow`: answers later. `lost`: the connection breaks in the place of the answer. `status`: answers an error. */
  kind: z.enum(['slow', 'lost', 'status']),
  /** Of `status`. */
  status: z.optional(z.literal([402, 429, 451, 500, 502, 503, 504])),
  /** Of `slow`. */
  delayMs: z.optional(whole(1, 600_000)),
  /** Of a 429. Default 1. */
  retryAfterSeconds: z.optional(whole(0, 86_400)),
  /** Of `lost` and `status`: whether what was asked for is done all the same. Default: true for `lost`, false for `status`. */
  executes: z.optional(z.boolean()),
  /** How often it strikes. Default: until it is cleared. */
  times: z.optional(whole(1, 1_000_000)),
  /** Share of the requests that it strikes, from 0 to 1. Default 1. */
  share: z.optional(z.number(share).check(z.gt(0, share), z.lte(1, share))),
  /** Decides which ones. Default 1. */
  seed: z.optional(whole(0, 2 ** 32 - 1)),
})
export type FaultBody = z.infer<typeof faultBody>
