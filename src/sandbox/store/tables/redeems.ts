import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { Hex } from 'viem'
import { evmBlockchains } from '../../../redeemkit/core/blockchains.ts'
import { amount, moment, oneOf } from '../columns.ts'
import { redeemShapes, redeemStates } from '../states.ts'

/** The intent of each nonce (PROTOCOL.md 4.1), stored before the message to sign is returned. */
export const intents = pgTable(
  'intents',
  {
    blockchain: oneOf('blockchain', evmBlockchains).notNull(),
    wallet: text('wallet').$type<Hex>().notNull(),
    nonce: text('nonce').$type<Hex>().notNull(),
    merchantId: text('merchant_id').notNull(),
    salt: text('salt').$type<Hex>().notNull(),
    /** The merchant's order id, as the customer sent it. Its hash is the order key in the nonce. */
    purchaseId: text('purchase_id'),
    /** For the merchant's webhooks, from the customer. */
    webhookInfo: jsonb('webhook_info').$type<Record<string, unknown>>(),
    settlementHash: text('settlement_hash').$type<Hex>().notNull(),
    amount: amount('amount').notNull(),
    usdcAmount: amount('usdc_amount').notNull(),
    /** Gas measured by a submit of this intent, for the next preparation's quote. */
    gasNeeded: amount('gas_needed'),
    /** Newest block when the nonce was created; it can only be used in a later block. */
    blockNumber: amount('block_number').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.blockchain, table.wallet, table.nonce] })],
)

/** One row per redeem. The primary key prevents redeeming twice. */
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

/** Counts a wallet's journalled redeems across processes. A redeem checked at an earlier count is checked again. */
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
 * The attempt of each order that may execute or has executed, across all chains (PROTOCOL.md 7.5). It is written in the
 * journal's database transaction.
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
    /** Unix seconds: the latest expiry of its submitted permits. */
    validBefore: amount('valid_before').notNull(),
    /** The redeeming transaction, once it is deep enough. */
    redeemedIn: text('redeemed_in').$type<Hex>(),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.merchantId, table.wallet, table.orderKey] })],
)

/** Every sufficiently deep `Redeemed` event of a merchant, including redeems relayed by third parties. Its merchant is notified once. */
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

/** The last block of each credits contract whose `Redeemed` events are recorded. */
export const eventCursors = pgTable(
  'event_cursors',
  {
    blockchain: oneOf('blockchain', evmBlockchains).notNull(),
    creditsContract: text('credits_contract').$type<Hex>().notNull(),
    /** The first recorded block comes after this one. */
    startBlock: amount('start_block').notNull(),
    blockNumber: amount('block_number').notNull(),
    /** Another hash at this number means that the chain was reorganized. */
    blockHash: text('block_hash').$type<Hex>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.blockchain, table.creditsContract] })],
)
