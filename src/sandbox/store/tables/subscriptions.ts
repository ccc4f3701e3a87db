import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  serial,
  text,
  unique,
} from 'drizzle-orm/pg-core'
import { blockchains } from '../../../redeemkit/core/blockchains.ts'
import type { Currency } from '../../../redeemkit/schema/subtotal.ts'
import { moment, oneOf } from '../columns.ts'
import { type CarriedByPayment, planIntervals, subscriptionStates } from '../states.ts'

const terms = {
  interval: oneOf('interval', planIntervals).notNull(),
  cents: bigint('cents', { mode: 'number' }).notNull(),
  currency: text('currency').$type<Currency>().notNull(),
  /** Number of payments; null means unlimited. */
  duration: integer('duration'),
  /** Whether payments are charged only at the merchant's request. */
  merchantInitiated: boolean('merchant_initiated').notNull(),
}

export const subscriptionPlans = pgTable(
  'subscription_plans',
  {
    planId: text('plan_id').primaryKey(),
    merchantId: text('merchant_id').notNull(),
    code: text('code').notNull(),
    name: text('name').notNull(),
    ...terms,
    active: boolean('active').notNull(),
    description: text('description'),
    transaction: text('transaction'),
    settlementChain: oneOf('settlement_chain', blockchains),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [unique('subscription_plans_by_code').on(table.merchantId, table.code)],
)

/** Subscriptions, with the plan's terms at the time of purchase (PROTOCOL.md 10.5). */
export const subscriptions = pgTable(
  'subscriptions',
  {
    subscriptionId: text('subscription_id').primaryKey(),
    merchantId: text('merchant_id').notNull(),
    planId: text('plan_id').notNull(),
    planCode: text('plan_code').notNull(),
    planName: text('plan_name').notNull(),
    ...terms,
    userId: text('user_id'),
    wallet: text('wallet'),
    blockchain: oneOf('blockchain', blockchains),
    email: text('email'),
    customerInfo: jsonb('customer_info').$type<Record<string, unknown>>(),
    webhookInfo: jsonb('webhook_info').$type<Record<string, unknown>>(),
    /** Chain of the settlement; null means the customer's chain. */
    settlementChain: oneOf('settlement_chain', blockchains),
    carried: jsonb('carried').$type<CarriedByPayment>().notNull().default({}),
    cardToken: text('card_token').notNull(),
    status: oneOf('status', subscriptionStates).notNull(),
    /** Start of the period `anchorPeriod`, from which all other periods are counted. */
    anchorAt: moment('anchor_at').notNull(),
    anchorPeriod: integer('anchor_period').notNull(),
    /** Number of the next period to charge; the first period is 0. */
    period: integer('period').notNull(),
    /** Number of declined charges of this period. */
    refusals: integer('refusals').notNull(),
    /** Time of the next payment, retry or end; null if there is none. */
    dueAt: moment('due_at'),
    /** Set when a failed or blocked subscription is canceled. It keeps its state, and nothing is charged again. */
    canceledAt: moment('canceled_at'),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    index('subscriptions_by_plan').on(table.planId, table.createdAt),
    index('subscriptions_by_customer').on(table.merchantId, table.userId, table.wallet),
    index('subscriptions_due').on(table.dueAt),
  ],
)

/** Periods that were paid. The primary key prevents a period from being paid twice. */
export const subscriptionBillings = pgTable(
  'subscription_billings',
  {
    subscriptionId: text('subscription_id').notNull(),
    period: integer('period').notNull(),
    paymentId: text('payment_id').notNull(),
    at: moment('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.subscriptionId, table.period] })],
)

export const subscriptionMoves = pgTable(
  'subscription_moves',
  {
    id: serial('id').primaryKey(),
    subscriptionId: text('subscription_id').notNull(),
    from: oneOf('from_status', subscriptionStates),
    to: oneOf('to_status', subscriptionStates).notNull(),
    reason: text('reason'),
    at: moment('at').notNull(),
  },
  (table) => [index('subscription_moves_by_subscription').on(table.subscriptionId, table.id)],
)
