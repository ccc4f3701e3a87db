import { sql } from 'drizzle-orm'
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
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import type { Hex } from 'viem'
import { blockchains } from '../../../redeemkit/core/blockchains.ts'
import type { Currency } from '../../../redeemkit/schema/subtotal.ts'
import { moment, oneOf } from '../columns.ts'
import {
  type CarriedByPayment,
  cardBehaviours,
  cardChallengeStates,
  type PaymentLine,
  paymentRails,
  paymentStates,
  refundReasons,
  stellarSettlementStates,
} from '../states.ts'

/** Cards by token; each token belongs to one merchant. Number and CVV are not stored, only the test card's behaviour. */
export const cardTokens = pgTable('card_tokens', {
  token: text('token').primaryKey(),
  merchantId: text('merchant_id').notNull(),
  firstSix: text('first_six').notNull(),
  lastFour: text('last_four').notNull(),
  expMonth: integer('exp_month').notNull(),
  expYear: integer('exp_year').notNull(),
  behaviour: oneOf('behaviour', cardBehaviours).notNull(),
  referenceNumber: text('reference_number').notNull(),
  /** For tokens of the card form (PROTOCOL.md 10.8): the purchase that the token can pay, and its customer. */
  purchaseId: text('purchase_id'),
  userId: text('user_id'),
  wallet: text('wallet'),
  blockchain: oneOf('blockchain', blockchains),
  createdAt: moment('created_at').notNull(),
})

/** 3DS challenges, one per payment. */
export const cardChallenges = pgTable('card_challenges', {
  transactionId: text('transaction_id').primaryKey(),
  merchantId: text('merchant_id').notNull(),
  paymentId: text('payment_id').notNull(),
  /** SHA-256 of customer and body. The challenge is valid only for this purchase. */
  purchaseHash: text('purchase_hash').notNull(),
  status: oneOf('status', cardChallengeStates).notNull(),
  createdAt: moment('created_at').notNull(),
})

export const cardsOnFile = pgTable(
  'cards_on_file',
  {
    cardId: text('card_id').primaryKey(),
    merchantId: text('merchant_id').notNull(),
    userId: text('user_id'),
    wallet: text('wallet'),
    blockchain: oneOf('blockchain', blockchains),
    cardToken: text('card_token').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [index('cards_on_file_by_customer').on(table.merchantId, table.userId, table.wallet)],
)

/** Creates a column for whole cents of a currency: hundredths of its unit, at most 2^53 - 1. */
const cents = (name: string) => bigint(name, { mode: 'number' })

/** Payments on all rails (PROTOCOL.md 10.1). No column contains a card number. */
export const payments = pgTable(
  'payments',
  {
    paymentId: text('payment_id').primaryKey(),
    merchantId: text('merchant_id').notNull(),
    /** The id that the merchant assigned to the customer. */
    userId: text('user_id'),
    wallet: text('wallet'),
    blockchain: oneOf('blockchain', blockchains),
    /** Id of the customer's device, for chargeback protection. */
    deviceId: text('device_id'),
    rail: oneOf('rail', paymentRails).notNull(),
    status: oneOf('status', paymentStates).notNull(),
    /** Price before fees, in cents of `currency`. */
    subtotalCents: cents('subtotal_cents').notNull(),
    currency: text('currency').notNull().$type<Currency>(),
    /** The subtotal in US cents, rounded down, which settlements in credits or USDC use. */
    usdCents: cents('usd_cents').notNull(),
    /** Currency of the charge, of the next columns and of refunds. */
    chargedCurrency: text('charged_currency').notNull().$type<Currency>(),
    /** The total, including fees, in cents of `chargedCurrency`. */
    totalCents: cents('total_cents').notNull(),
    /** The part that is paid on this rail: the total without the customer's USDC part. */
    chargedCents: cents('charged_cents').notNull(),
    lines: jsonb('totals').$type<readonly PaymentLine[]>().notNull(),
    carried: jsonb('carried').$type<CarriedByPayment>().notNull(),
    authOnly: boolean('auth_only').notNull().default(false),
    email: text('email'),
    customerInfo: jsonb('customer_info').$type<Record<string, unknown>>(),
    webhookInfo: jsonb('webhook_info').$type<Record<string, unknown>>(),
    cardToken: text('card_token'),
    /** Reference of an order on its rail: the memo of a wire, or the txid of a Pix code. */
    railReference: text('rail_reference'),
    subscriptionId: text('subscription_id'),
    /** For payments of the card form: the purchase, which can be paid once, and the SHA-256 of its content (PROTOCOL.md 10.8). */
    purchaseId: text('purchase_id'),
    purchaseHash: text('purchase_hash'),
    refundedCents: cents('refunded_cents').notNull().default(0),
    hash: text('hash').$type<Hex | string>(),
    /** Reason why the settlement failed. */
    error: text('error'),
    expiresAt: moment('expires_at'),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    index('payments_by_merchant').on(table.merchantId, table.createdAt),
    index('payments_by_customer').on(table.merchantId, table.userId, table.wallet),
    index('payments_by_status').on(table.status, table.expiresAt),
    index('payments_by_purchase').on(table.merchantId, table.purchaseId),
  ],
)

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

/** Refunds, in the currency that was charged. */
export const refunds = pgTable(
  'refunds',
  {
    refundId: text('refund_id').primaryKey(),
    merchantId: text('merchant_id').notNull(),
    paymentId: text('payment_id').notNull(),
    cents: cents('cents').notNull(),
    /** The amount in the request; null if the request was for the rest. */
    askedCents: cents('asked_cents'),
    reason: oneOf('reason', refundReasons),
    idempotencyKey: text('idempotency_key'),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    index('refunds_by_payment').on(table.paymentId),
    unique('refunds_idempotency').on(table.merchantId, table.idempotencyKey),
  ],
)

export const chargebackResponses = pgTable(
  'chargeback_responses',
  {
    id: serial('id').primaryKey(),
    paymentId: text('payment_id').notNull(),
    response: text('response'),
    fileKey: text('file_key'),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [index('chargeback_responses_by_payment').on(table.paymentId, table.id)],
)

export const evidenceFiles = pgTable('evidence_files', {
  fileKey: text('file_key').primaryKey(),
  merchantId: text('merchant_id').notNull(),
  name: text('name').notNull(),
  content: text('content').notNull(),
  createdAt: moment('created_at').notNull(),
})

/** US bank accounts for wires, by token. Only the last four digits of the number are stored. */
export const wireAccounts = pgTable('wire_accounts', {
  token: text('token').primaryKey(),
  merchantId: text('merchant_id').notNull(),
  routingNumber: text('routing_number').notNull(),
  lastFour: text('last_four').notNull(),
  createdAt: moment('created_at').notNull(),
})

/** Journalled with signatures before submission. After a restart, unfinished transactions are resubmitted unchanged. */
export const stellarSettlements = pgTable(
  'stellar_settlements',
  {
    paymentId: text('payment_id').notNull(),
    attempt: integer('attempt').notNull(),
    /** The account whose sequence number the transaction uses. */
    operator: text('operator').notNull(),
    raw: text('raw').notNull(),
    hash: text('hash').notNull(),
    status: oneOf('status', stellarSettlementStates).notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.paymentId, table.attempt] }),
    // The next sequence number is known only once this one is used.
    uniqueIndex('stellar_settlements_one_at_a_time').on(table.operator).where(sql`status = 'journalled'`),
  ],
)
