import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import type { Hex } from 'viem'
import { evmBlockchains } from '../../../redeemkit/core/blockchains.ts'
import { amount, moment, oneOf } from '../columns.ts'
import { redeemShapes, redeemStates } from '../states.ts'

/** What each nonce stands for (PROTOCOL.md 4.1): written before the message to sign is answered. */
export const intents = pgTable(
  'intents',
  {
    blockchain: oneOf('blockchain', evmBlockchains).notNull(),
    wallet: text('wallet').$type<Hex>().notNull(),
    nonce: text('nonce').$type<Hex>().notNull(),
    merchantId: text('merchant_id').notNull(),
    salt: text('salt').$type<Hex>().notNull(),
    /** The merchant's order id, as the customer says. It hashes to the order key of the nonce. */
    purchaseId: text('purchase_id'),
    /** Goes into the merchant's webhooks, as the customer says. */
    webhookInfo: jsonb('webhook_info').$type<Record<string, unknown>>(),
    settlementHash: text('settlement_hash').$type<Hex>().notNull(),
    amount: amount('amount').notNull(),
    usdcAmount: amount('usdc_amount').notNull(),
    /** Gas that a submit of this intent was found to need: a second preparation quotes by it. */
    gasNeeded: amount('gas_needed'),
    /** Newest block when the nonce was made: whatever consumed it came later. */
    blockNumber: amount('block_number').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.blockchain, table.wallet, table.nonce] })],
)

/** One row per redeem, whatever became of it. Its primary key is what makes a second redeem impossible. */
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
    /** How often it was sent. */
    attempt: integer('attempt').notNull(),
    /** Hash of the newest attempt, or of the transaction that consumed the nonce. */
    hash: text('hash').$type<Hex>().notNull(),
    /** The state that the merchant was told of. */
    told: oneOf('told', redeemStates),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.blockchain, table.wallet, table.nonce] }),
    index('redeems_untold').on(table.createdAt).where(sql`told is distinct from status`),
    index('redeems_open').on(table.blockchain, table.wallet).where(sql`status in ('sending', 'alone')`),
  ],
)

/**
 * How often something of a wallet was journalled by processes that share this database: whoever checked a redeem at an earlier
 * turn checks it again.
 */
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
 * The attempt of each order that may execute, or did: one for all chains of the service (PROTOCOL.md 7.5). It is written in the
 * database transaction of the journal.
 */
export const orderClaims = pgTable(
  'order_claims',
  {
    merchantId: text('merchant_id').notNull(),
    wallet: text('wallet').$type<Hex>().notNull(),
    /** 12 bytes. */
    orderKey: text('order_key').$type<Hex>().notNull(),
    /** Where the attempt was submitted. */
    blockchain: oneOf('blockchain', evmBlockchains).notNull(),
    /** The attempt. */
    nonce: text('nonce').$type<Hex>().notNull(),
    /** Unix seconds: the latest end of the permits that were submitted for it. */
    validBefore: amount('valid_before').notNull(),
    /** The transaction that redeemed it, once it is deep enough. */
    redeemedIn: text('redeemed_in').$type<Hex>(),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.merchantId, table.wallet, table.orderKey] })],
)

/** Every `Redeemed` event of a merchant that is deep enough, whoever relayed the redeem. Its merchant is notified once. */
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
    /** The first block was after this one. */
    startBlock: amount('start_block').notNull(),
    blockNumber: amount('block_number').notNull(),
    /** Another hash at this number means that the chain was replaced from before it. */
    blockHash: text('block_hash').$type<Hex>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.blockchain, table.creditsContract] })],
)
