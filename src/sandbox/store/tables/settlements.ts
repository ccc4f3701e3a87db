import { sql } from 'drizzle-orm'
import { integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { moment, oneOf } from '../columns.ts'
import { stellarSettlementStates } from '../states.ts'

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
