import { index, jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from '../columns.ts'

/** What merchants are told of, written in the same database transaction as what happened (PROTOCOL.md 10.4). */
export const webhookEvents = pgTable(
  'webhook_events',
  {
    /** The same each time it is sent. */
    id: text('id').primaryKey(),
    merchantId: text('merchant_id').notNull(),
    type: text('type').notNull(),
    data: jsonb('data').$type<Record<string, unknown>>().notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [index('webhook_events_by_merchant').on(table.merchantId, table.createdAt)],
)
