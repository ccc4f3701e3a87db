import { readFile } from 'node:fs/promises'
import { getAddress } from 'viem'
import * as z from 'zod/mini'

const address = z.pipe(
  z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/, 'Give an address: 0x and 40 hex digits.')),
  z.transform((text) => getAddress(text)),
)
const cents = z.int().check(z.nonnegative())

/** What an agent is told by its operator, once: whom it trusts, and how much it may spend. No key is in it. */
const settingsFile = z.strictObject({
  /** The payments service. */
  baseUrl: z.url(),
  merchantId: z.string(),
  blockchain: z.enum(['eth', 'polygon', 'base', 'arbitrum', 'monad']),
  environment: z.enum(['sandbox', 'prod']),
  /** A node of the chain, which says what became of a payment. */
  rpcUrl: z.url(),
  /** What the service's answers are held against; from the merchant, never from the service. */
  pinned: z.strictObject({
    creditsContract: address,
    domainName: z.optional(z.string()),
    creditSeed: z.string(),
    /** The most that one payment may cost beside its price. */
    maxGasFeeCents: cents,
  }),
  limits: z.strictObject({
    /** The most that one payment may be, its fee included. */
    paymentCents: cents,
    /** The most that all payments of a day (UTC) may come to, their fees included. */
    dayCents: cents,
    /** Who may be paid. */
    receivers: z.array(address),
  }),
})
export type Settings = z.infer<typeof settingsFile>

const payment = z.strictObject({
  /** Your own name of it. It is paid once, ever. */
  id: z.string().check(z.minLength(1), z.maxLength(100)),
  to: address,
  cents: z.int().check(z.positive()),
  /** Part of it that is paid in USDC; the rest comes from credits. */
  usdcCents: z.optional(cents),
})
export type Payment = z.infer<typeof payment>

/** Reads the settings of an agent from a JSON file. */
export async function readSettings(path: string): Promise<Settings> {
  return read(settingsFile, parse(await readFile(path, 'utf8'), path), path)
}

/** Reads what is to be paid: one JSON object on each line. */
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

/** Settings or payments that cannot be used. Nothing was begun. */
class UnusableInputError extends Error {
  override readonly name = 'UnusableInputError'
}
