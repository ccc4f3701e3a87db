import type { Hex } from 'viem'
import * as z from 'zod/mini'
import { evmBlockchains } from '../../redeemkit/core/blockchains.ts'
import { showValue } from '../../redeemkit/core/errors/showValue.ts'
import { UnknownRowError } from './errors.ts'

const hex = z.custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-fA-F]*$/.test(value))
const wallet = { blockchain: z.enum(evmBlockchains), wallet: hex }
const attempt = z.int().check(z.positive())

const schema = z.discriminatedUnion('kind', [
  /** A customer's redeem. */
  z.strictObject({ kind: z.literal('redeem'), ...wallet, nonce: hex, attempt }),
  /** Several customers' redeems in one: which ones, their rows say. */
  z.strictObject({ kind: z.literal('batch'), blockchain: z.enum(evmBlockchains), id: z.string() }),
  /** A bridge message that is carried to its destination chain. */
  z.strictObject({ kind: z.literal('bridge'), sourceChainId: z.int(), messageId: hex, attempt }),
  /** A merchant's mint. */
  z.strictObject({ kind: z.literal('mint'), jobId: z.string(), attempt }),
  /** A merchant's burn. */
  z.strictObject({ kind: z.literal('burn'), jobId: z.string(), attempt }),
  /** What a payment does once it settles. */
  z.strictObject({ kind: z.literal('payment'), paymentId: z.string(), attempt }),
  /** USDC that a merchant withdraws. */
  z.strictObject({ kind: z.literal('withdrawal'), withdrawalId: z.string(), attempt }),
  /** A customer's wallet that is deployed before its redeem (ERC-6492). */
  z.strictObject({ kind: z.literal('deploy'), ...wallet, attempt }),
  /** An entry of a merchant's whitelist. */
  z.strictObject({ kind: z.literal('whitelist'), id: z.string() }),
  /** What the transaction was for is on a chain that was thrown away; its place in the lane stays. */
  z.strictObject({ kind: z.literal('gone'), id: z.int(), was: z.unknown() }),
])

/**
 * What a transaction of the journal is for. It is unique, and so the guard against doing it twice: an attempt that never
 * landed is followed by one with the next number.
 */
export type Reference = z.output<typeof schema>

/** @throws {@link UnknownRowError} for what is no reference */
export function parseReference(value: unknown): Reference {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new UnknownRowError(`The journal has a transaction for ${showValue(JSON.stringify(value))}.`, {
    field: 'reference',
    fix: 'Open the folder with the version that wrote it, or use another one.',
  })
}
