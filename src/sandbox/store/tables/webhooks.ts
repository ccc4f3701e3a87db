import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, serial, text, unique } from 'drizzle-orm/pg-core'
import { moment, oneOf } from '../columns.ts'
import { webhookDeliveryStates } from '../states.ts'

/** Webhook events, each stored in the database transaction of its cause (PROTOCOL.md 10.4). */
export const webhookEvents = pgTable(
  'webhook_events',
  {
    id: text('id').primaryKey(),
    sequence: serial('sequence').notNull(),
    merchantId: text('merchant_id').notNull(),
    type: text('type').notNull(),
    data: jsonb('data').$type<Record<string, unknown>>().notNull(),
    createdAt: moment('created_at').notNull(),
    /** Time when the event's deliveries were created. */
    dispatchedAt: moment('dispatched_at'),
  },
  (table) => [
    index('webhook_events_by_merchant').on(table.merchantId, table.sequence),
    index('webhook_events_undispatched').on(table.sequence).where(sql`dispatched_at is null`),
  ],
)

/** Webhook settings. The secret is used to sign, so it is stored in plain text. */
export const webhookSettings = pgTable('webhook_settings', {
  merchantId: text('merchant_id').primaryKey(),
  url: text('url'),
  secret: text('secret').notNull(),
  /** The replaced secret, which is also used to sign until `previousUntil`. */
  previousSecret: text('previous_secret'),
  previousUntil: moment('previous_until'),
})

/** Programs that fetch a merchant's events, such as `redeemkit listen`. */
export const webhookListeners = pgTable(
  'webhook_listeners',
  {
    listenerId: text('listener_id').primaryKey(),
    merchantId: text('merchant_id').notNull(),
    /** Name by which a listener is recognized when it registers again. */
    name: text('name').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [unique('webhook_listeners_by_name').on(table.merchantId, table.name)],
)

export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    deliveryId: text('delivery_id').primaryKey(),
    eventId: text('event_id').notNull(),
    merchantId: text('merchant_id').notNull(),
    /** `url`, or the id of a listener. */
    target: text('target').notNull(),
    status: oneOf('status', webhookDeliveryStates).notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** A process that takes a delivery postpones this time, so that another process retries if the first is killed. */
    nextAttemptAt: moment('next_attempt_at').notNull(),
    lastStatus: integer('last_status'),
    /** Reason why there was no response. */
    lastError: text('last_error'),
    /** Retries end 24 hours after this time. */
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    unique('webhook_deliveries_once').on(table.eventId, table.target),
    index('webhook_deliveries_due').on(table.status, table.target, table.nextAttemptAt),
  ],
)
