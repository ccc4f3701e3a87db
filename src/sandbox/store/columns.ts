import { customType, timestamp } from 'drizzle-orm/pg-core'
import type { Hex } from 'viem'
import * as z from 'zod/mini'
import { evmBlockchains } from '../../redeemkit/core/blockchains.ts'
import { BaseError } from '../../redeemkit/core/errors/baseError.ts'
import { showValue } from '../../redeemkit/core/errors/showValue.ts'

/** A column for raw units of money. `numeric(78,0)` holds every uint256 exactly. */
export const amount = customType<{ data: bigint; driverData: string }>({
  dataType: () => 'numeric(78,0)',
  fromDriver: (value) => BigInt(value),
  toDriver: (value) => value.toString(),
})

export const moment = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/** Allows only the values in a list. */
export function oneOf<const values extends readonly string[]>(name: string, values: values) {
  return customType<{ data: values[number]; driverData: string }>({
    dataType: () => 'text',
    fromDriver: (value) => {
      const word = values.find((known) => known === value)
      if (word !== undefined) return word
      throw new UnknownRowError(`The database has ${showValue(value)} in column "${name}".`, {
        field: name,
        fix: `Known values are ${values.join(', ')}. Open the folder with the version that wrote it, or use another folder.`,
      })
    },
  })(name)
}

export const reference = customType<{ data: Reference; driverData: unknown }>({
  dataType: () => 'jsonb',
  fromDriver: parseReference,
  toDriver: (value) => JSON.stringify(value),
})

const hex = z.custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-fA-F]*$/.test(value))
const wallet = { blockchain: z.enum(evmBlockchains), wallet: hex }
const attempt = z.int().check(z.positive())

const schema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('redeem'), ...wallet, nonce: hex, attempt }),
  z.strictObject({ kind: z.literal('batch'), blockchain: z.enum(evmBlockchains), id: z.string() }),
  z.strictObject({ kind: z.literal('bridge'), sourceChainId: z.int(), messageId: hex, attempt }),
  z.strictObject({ kind: z.literal('mint'), jobId: z.string(), attempt }),
  z.strictObject({ kind: z.literal('burn'), jobId: z.string(), attempt }),
  z.strictObject({ kind: z.literal('payment'), paymentId: z.string(), attempt }),
  z.strictObject({ kind: z.literal('withdrawal'), withdrawalId: z.string(), attempt }),
  /** The deployment of a customer's wallet before its redeem (ERC-6492). */
  z.strictObject({ kind: z.literal('deploy'), ...wallet, attempt }),
  z.strictObject({ kind: z.literal('whitelist'), id: z.string() }),
  /** A transaction for a chain or contract that was replaced. Its row is kept, because its nonce was used. */
  z.strictObject({ kind: z.literal('gone'), id: z.int(), was: z.unknown() }),
])

/**
 * The purpose of a journalled transaction. It is unique, so that nothing is executed twice. After a dropped transaction, the next attempt
 * has the next number.
 */
export type Reference = z.output<typeof schema>

export function parseReference(value: unknown): Reference {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new UnknownRowError(
    `The journal contains a transaction with the unknown purpose ${showValue(JSON.stringify(value))}.`,
    {
      field: 'reference',
      fix: 'Open the folder with the version that wrote it, or use another folder.',
    },
  )
}

/** A row has an unknown state, kind or reference. Another version of the service wrote it. */
export class UnknownRowError extends BaseError {
  override readonly name = 'UnknownRowError'
}
