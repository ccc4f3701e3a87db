import { readFile } from 'node:fs/promises'
import { networks } from 'redeemkit/evm'
import { getAddress } from 'viem'
import * as z from 'zod/mini'

const address = z.pipe(
  z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/, 'Pass an address: 0x and 40 hex digits.')),
  z.transform((text) => getAddress(text)),
)
const cents = z.int().check(z.nonnegative())

/** The operator's settings: pinned values and limits. Contains no key. */
const settingsFile = z.strictObject({
  baseUrl: z.url(),
  merchantId: z.string(),
  blockchain: z.enum(networks.filter(({ usdc }) => usdc).map(({ blockchain }) => blockchain)),
  environment: z.enum(['sandbox', 'prod']),
  /** URL of a node of the chain, which reports the outcomes of payments. */
  rpcUrl: z.url(),
  /** Pinned values: from the merchant, never from the service. */
  pinned: z.strictObject({
    creditsContract: address,
    domainName: z.optional(z.string()),
    creditSeed: z.string(),
    maxGasFeeCents: cents,
  }),
  limits: z.strictObject({
    /** Limit for one payment, including its fee. */
    paymentCents: cents,
    /** Daily limit (UTC) for all payments, including their fees. */
    dayCents: cents,
    receivers: z.array(address),
  }),
})
export type Settings = z.infer<typeof settingsFile>

const payment = z.strictObject({
  /** Your ID for the payment. Each ID is paid only once. */
  id: z.string().check(z.minLength(1), z.maxLength(100)),
  to: address,
  cents: z.int().check(z.positive()),
  /** Part paid in USDC; the rest comes from credits. */
  usdcCents: z.optional(cents),
})
export type Payment = z.infer<typeof payment>

export async function readSettings(path: string): Promise<Settings> {
  return read(settingsFile, parse(await readFile(path, 'utf8'), path), path)
}

/** One JSON object per line. */
export function readPayments(text: string): Payment[] {
  const lines = text.split('\n').map((line, index) => ({ line: line.trim(), place: `line ${index + 1}` }))
  return lines
    .filter(({ line }) => line !== '')
    .map(({ line, place }) => read(payment, parse(line, place), place))
}

function parse(text: string, place: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UnusableInputError(`${place} is not JSON.`)
  }
}

function read<schema extends z.ZodMiniType>(schema: schema, value: unknown, place: string): z.infer<schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new UnusableInputError(`${place}: ${issue?.path.join('.') || 'it'}: ${issue?.message}`)
}

class UnusableInputError extends Error {
  override readonly name = 'UnusableInputError'
}
