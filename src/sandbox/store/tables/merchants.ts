import { jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { Hex } from 'viem'
import { evmBlockchains } from '../../../core/blockchains.ts'
import { moment, oneOf } from '../columns.ts'
import type { MerchantSettings } from '../merchantSettings.ts'
import { programStates } from '../states.ts'

/** Who sells. The API key is kept as a SHA-256 hash. */
export const merchants = pgTable('merchants', {
  merchantId: text('merchant_id').primaryKey(),
  creditSeed: text('credit_seed').notNull().unique(),
  apiKeyHash: text('api_key_hash').notNull().unique(),
  settings: jsonb('settings').$type<MerchantSettings>().notNull().default({}),
})

/** Whitelist requests of merchants. The chain's own whitelist is what counts. */
export const programs = pgTable(
  'programs',
  {
    merchantId: text('merchant_id').notNull(),
    blockchain: oneOf('blockchain', evmBlockchains).notNull(),
    programId: text('program_id').$type<Hex>().notNull(),
    /** 4 bytes in hex, or `any`. */
    selector: text('selector').notNull(),
    status: oneOf('status', programStates).notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.merchantId, table.blockchain, table.programId, table.selector] })],
)
