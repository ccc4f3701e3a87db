import { sql } from 'drizzle-orm'
import { index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { Hex } from 'viem'
import { evmBlockchains } from '../../../core/blockchains.ts'
import { amount, moment, oneOf } from '../columns.ts'
import { landedReturnStates, stellarSettlementStates } from '../states.ts'

/**
 * Transactions that settle payments on Stellar, each written down signed before it is sent: what is found here unfinished is
 * looked for, and sent again as it stands.
 */
export const stellarSettlements = pgTable(
  'stellar_settlements',
  {
    paymentId: text('payment_id').notNull(),
    attempt: integer('attempt').notNull(),
    /** Whose sequence number it has. */
    operator: text('operator').notNull(),
    raw: text('raw').notNull(),
    hash: text('hash').notNull(),
    status: oneOf('status', stellarSettlementStates).notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.paymentId, table.attempt] }),
    // The next sequence number is known when this one was used.
    uniqueIndex('stellar_settlements_one_at_a_time').on(table.operator).where(sql`status = 'journalled'`),
  ],
)

/**
 * Customers' USDC authorizations to the contract that settles payments, of payments that failed: what somebody else lands of them is
 * given back, until they have ended (PROTOCOL.md 10.2).
 */
export const landedReturns = pgTable(
  'landed_returns',
  {
    paymentId: text('payment_id').primaryKey(),
    blockchain: oneOf('blockchain', evmBlockchains).notNull(),
    from: text('from_address').$type<Hex>().notNull(),
    nonce: text('nonce').$type<Hex>().notNull(),
    value: amount('value').notNull(),
    /** The first moment at which it can land no more. */
    endsAt: moment('ends_at').notNull(),
    status: oneOf('status', landedReturnStates).notNull(),
    /** Of the transaction that gave it back. */
    hash: text('hash').$type<Hex>(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [index('landed_returns_watched').on(table.status)],
)
