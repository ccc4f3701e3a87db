import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { Hex } from 'viem'
import { evmBlockchains } from '../../../redeemkit/core/blockchains.ts'
import { amount, moment, oneOf } from '../columns.ts'
import { redeemShapes, redeemStates } from '../states.ts'

/** The intent of each nonce (PROTOCOL.md 4.1), stored before the service returns the message to sign. */
export const intents = pgTable(
  'intents',
  {
    blockchain: oneOf('blockchain', evmBlockchains).notNull(),
    wallet: text('wallet').$type<Hex>().notNull(),
    nonce: text('nonce').$type<Hex>().notNull(),
    merchantId: text('merchant_id').notNull(),
    salt: text('salt').$type<Hex>().notNull(),
    /** The merchant's order id, as the customer's client sent it. Its hash is the order key in the nonce. */
    purchaseId: text('purchase_id'),
    /** Data for the merchant's webhooks, sent by the customer's client. */
    webhookInfo: jsonb('webhook_info').$type<Record<string, unknown>>(),
    settlementHash: text('settlement_hash').$type<Hex>().notNull(),
    amount: amount('amount').notNull(),
    usdcAmount: amount('usdc_amount').notNull(),
    /** Gas that was measured when this intent was submitted. The next preparation computes its fee with this gas. */
    gasNeeded: amount('gas_needed'),
    /** Newest block when the nonce was created. The nonce can be used only in a later block. */
    blockNumber: amount('block_number').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.blockchain, table.wallet, table.nonce] })],
)

/** Redeems. The primary key prevents a redeem from being executed twice. */
export const redeems = pgTable(
  'redeems',
  {
    blockchain: oneOf('blockchain', evmBlockchains).notNull(),
    wallet: text('wallet').$type<Hex>().notNull(),
    nonce: text('nonce').$type<Hex>().notNull(),
    merchantId: text('merchant_id').notNull(),
    shape: oneOf('kind', redeemShapes).notNull(),
    amount: amount('amount').notNull(),
    usdcAmount: amount('usdc_amount').notNull(),
    gasFee: amount('gas_fee').notNull(),
    status: oneOf('status', redeemStates).notNull(),
    attempt: integer('attempt').notNull(),
    /** Hash of the newest attempt, or of the transaction that used the nonce. */
    hash: text('hash').$type<Hex>().notNull(),
    /** The last state that a webhook event reported. */
    reported: oneOf('reported', redeemStates),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.blockchain, table.wallet, table.nonce] }),
    index('redeems_unreported').on(table.createdAt).where(sql`reported is distinct from status`),
    index('redeems_open').on(table.blockchain, table.wallet).where(sql`status in ('sending', 'alone')`),
  ],
)

/** Counters of journalled redeems per wallet, shared by all processes. A redeem that was checked at an earlier count is checked again. */
export const walletTurns = pgTable(
  'wallet_turns',
  {
    blockchain: oneOf('blockchain', evmBlockchains).notNull(),
    wallet: text('wallet').$type<Hex>().notNull(),
    turn: bigint('turn', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.blockchain, table.wallet] })],
)

/**
 * The attempt of each order that may execute or has executed, across all chains (PROTOCOL.md 7.5). Written in the database transaction
 * of the journal.
 */
export const orderClaims = pgTable(
  'order_claims',
  {
    merchantId: text('merchant_id').notNull(),
    wallet: text('wallet').$type<Hex>().notNull(),
    /** 12 bytes. */
    orderKey: text('order_key').$type<Hex>().notNull(),
    blockchain: oneOf('blockchain', evmBlockchains).notNull(),
    nonce: text('nonce').$type<Hex>().notNull(),
    /** The latest expiry of the attempt's submitted permits, in unix seconds. */
    validBefore: amount('valid_before').notNull(),
    /** Hash of the transaction that redeemed the order, once it has enough confirmations. */
    redeemedIn: text('redeemed_in').$type<Hex>(),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.merchantId, table.wallet, table.orderKey] })],
)

/**
 * `Redeemed` events with enough confirmations, including those of redeems that third parties relayed. The merchant is notified once per
 * event.
 */
export const redeemedEvents = pgTable(
  'redeemed_events',
  {
    blockchain: oneOf('blockchain', evmBlockchains).notNull(),
    hash: text('hash').$type<Hex>().notNull(),
    logIndex: integer('log_index').notNull(),
    blockNumber: amount('block_number').notNull(),
    merchantId: text('merchant_id').notNull(),
    wallet: text('wallet').$type<Hex>().notNull(),
    nonce: text('nonce').$type<Hex>().notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.blockchain, table.hash, table.logIndex] }),
    index('redeemed_events_by_nonce').on(table.blockchain, table.wallet, table.nonce),
  ],
)

/** For each credits contract, the last block whose `Redeemed` events are recorded. */
export const eventCursors = pgTable(
  'event_cursors',
  {
    blockchain: oneOf('blockchain', evmBlockchains).notNull(),
    creditsContract: text('credits_contract').$type<Hex>().notNull(),
    /** The block before the first recorded one. */
    startBlock: amount('start_block').notNull(),
    blockNumber: amount('block_number').notNull(),
    /** Hash of the last block. If the chain has a different hash at this number, it was reorganized. */
    blockHash: text('block_hash').$type<Hex>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.blockchain, table.creditsContract] })],
)
