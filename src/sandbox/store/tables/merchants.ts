import { sql } from 'drizzle-orm'
import { boolean, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { Hex } from 'viem'
import { evmBlockchains } from '../../../redeemkit/core/blockchains.ts'
import type { SandboxMerchantSettings } from '../../merchantOptions.ts'
import { moment, oneOf } from '../columns.ts'
import { keyScopes } from '../keyScopes.ts'
import { programStates } from '../states.ts'

/** Who sells. */
export const merchants = pgTable('merchants', {
  merchantId: text('merchant_id').primaryKey(),
  creditSeed: text('credit_seed').notNull().unique(),
  /** Signs the merchant's JWTs, and so is kept as it is; 244 random bits when the options give none. */
  jwtSecret: text('jwt_secret')
    .notNull()
    .default(sql`replace(gen_random_uuid()::text || gen_random_uuid(), '-', '')`),
  /** No checkout without a checkout JWT. */
  enforceCheckoutJwt: boolean('enforce_checkout_jwt').notNull().default(false),
  settings: jsonb('settings').$type<SandboxMerchantSettings>().notNull().default({}),
})

/** API keys of merchants, each as its SHA-256 hash. */
export const apiKeys = pgTable('api_keys', {
  /** The beginning of the hash: finds the row. The rest is compared in constant time. */
  keyId: text('key_id').primaryKey(),
  keyHash: text('key_hash').notNull(),
  merchantId: text('merchant_id').notNull(),
  /** Null: may do everything. */
  scope: oneOf('scope', keyScopes),
  /** IP addresses and networks that the key may come from. Empty: any. */
  ips: jsonb('ips').$type<readonly string[]>().notNull(),
  disabled: boolean('disabled').notNull(),
})

/** Whitelist requests of merchants. On EVM chains the chain's own whitelist is what counts. */
export const programs = pgTable(
  'programs',
  {
    merchantId: text('merchant_id').notNull(),
    blockchain: oneOf('blockchain', [...evmBlockchains, 'stellar']).notNull(),
    programId: text('program_id').$type<Hex | string>().notNull(),
    /** 4 bytes in hex, or `any`. */
    selector: text('selector').notNull(),
    status: oneOf('status', programStates).notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.merchantId, table.blockchain, table.programId, table.selector] })],
)
