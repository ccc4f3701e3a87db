import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, serial, text, unique } from 'drizzle-orm/pg-core'
import { moment, oneOf } from '../columns.ts'
import { webhookDeliveryStates } from '../states.ts'

/** What merchants are told of, written in the same database transaction as what happened (PROTOCOL.md 10.4). */
export const webhookEvents = pgTable(
  'webhook_events',
  {
    /** The same each time it is sent. */
    id: text('id').primaryKey(),
    /** In which order things happened. */
    sequence: serial('sequence').notNull(),
    merchantId: text('merchant_id').notNull(),
    type: text('type').notNull(),
    data: jsonb('data').$type<Record<string, unknown>>().notNull(),
    createdAt: moment('created_at').notNull(),
    /** When its deliveries were made. */
    dispatchedAt: moment('dispatched_at'),
  },
  (table) => [
    index('webhook_events_by_merchant').on(table.merchantId, table.sequence),
    index('webhook_events_undispatched').on(table.sequence).where(sql`dispatched_at is null`),
  ],
)

/** Where a merchant is told. The secret signs, and so is kept as it is. */
export const webhookSettings = pgTable('webhook_settings', {
  merchantId: text('merchant_id').primaryKey(),
  url: text('url'),
  secret: text('secret').notNull(),
  /** Signs, too, until `previousUntil`: the secret that was replaced. */
  previousSecret: text('previous_secret'),
  previousUntil: moment('previous_until'),
})

/** Programs that fetch a merchant's events, as `redeemkit listen` does. */
export const webhookListeners = pgTable(
  'webhook_listeners',
  {
    listenerId: text('listener_id').primaryKey(),
    merchantId: text('merchant_id').notNull(),
    /** The same listener again, when it comes back. */
    name: text('name').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [unique('webhook_listeners_by_name').on(table.merchantId, table.name)],
)

/** An event on its way to one receiver. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    deliveryId: text('delivery_id').primaryKey(),
    eventId: text('event_id').notNull(),
    merchantId: text('merchant_id').notNull(),
    /** `url`, or a listener's id. */
    target: text('target').notNull(),
    status: oneOf('status', webhookDeliveryStates).notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** Whoever takes it puts this ahead: when that process dies, another one takes it then. */
    nextAttemptAt: moment('next_attempt_at').notNull(),
    /** Status of the newest answer. */
    lastStatus: integer('last_status'),
    /** Why there was no answer. */
    lastError: text('last_error'),
    /** Retries end 24 hours after this. */
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    unique('webhook_deliveries_once').on(table.eventId, table.target),
    index('webhook_deliveries_due').on(table.status, table.target, table.nextAttemptAt),
  ],
)
