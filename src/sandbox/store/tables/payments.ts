import { boolean, index, integer, jsonb, pgTable, serial, text } from 'drizzle-orm/pg-core'
import type { Hex } from 'viem'
import { blockchains } from '../../../core/blockchains.ts'
import type { CarriedByPayment } from '../carriedByPayment.ts'
import { moment, oneOf } from '../columns.ts'
import { paymentRails, paymentStates } from '../states.ts'

/** Payments, whatever they are paid by (PROTOCOL.md 10.1). Card numbers are in no column. */
export const payments = pgTable(
  'payments',
  {
    paymentId: text('payment_id').primaryKey(),
    merchantId: text('merchant_id').notNull(),
    /** The merchant's own name of the customer. */
    userId: text('user_id'),
    wallet: text('wallet'),
    blockchain: oneOf('blockchain', blockchains),
    rail: oneOf('rail', paymentRails).notNull(),
    status: oneOf('status', paymentStates).notNull(),
    /** What is bought, in cents of `currency`, before fees. */
    subtotalCents: integer('subtotal_cents').notNull(),
    /** What the customer pays, fees included. */
    totalCents: integer('total_cents').notNull(),
    currency: text('currency').notNull(),
    /** Lines of the total. */
    totals: jsonb('totals').$type<readonly { label: string; cents: number }[]>().notNull(),
    /** What a settled payment does. */
    carried: jsonb('carried').$type<CarriedByPayment>().notNull(),
    authOnly: boolean('auth_only').notNull().default(false),
    email: text('email'),
    customerInfo: jsonb('customer_info').$type<Record<string, unknown>>(),
    webhookInfo: jsonb('webhook_info').$type<Record<string, unknown>>(),
    /** Token of the card that paid, never its number. */
    cardToken: text('card_token'),
    subscriptionId: text('subscription_id'),
    refundedCents: integer('refunded_cents').notNull().default(0),
    /** Transaction of what it carried. */
    hash: text('hash').$type<Hex | string>(),
    /** Why what it carried failed. */
    error: text('error'),
    expiresAt: moment('expires_at'),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    index('payments_by_merchant').on(table.merchantId, table.createdAt),
    index('payments_by_customer').on(table.merchantId, table.userId, table.wallet),
    index('payments_by_status').on(table.status, table.expiresAt),
  ],
)

/** Every move of a payment from one state to another, with its time. */
export const paymentMoves = pgTable(
  'payment_moves',
  {
    id: serial('id').primaryKey(),
    paymentId: text('payment_id').notNull(),
    from: oneOf('from_status', paymentStates),
    to: oneOf('to_status', paymentStates).notNull(),
    reason: text('reason'),
    at: moment('at').notNull(),
  },
  (table) => [index('payment_moves_by_payment').on(table.paymentId, table.id)],
)
