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
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import type { Hex } from 'viem'
import { evmBlockchains } from '../../../redeemkit/core/blockchains.ts'
import { amount, moment, oneOf, reference } from '../columns.ts'
import { bridgeMessageStates, transactionStates, transferBlockchains, usdcTransferStates } from '../states.ts'

/**
 * The journal: every transaction that the relayer signs, with its signed bytes, written before it is broadcast. What
 * is found here unfinished after a crash is sent again as it stands: same nonce, same hash.
 */
export const transactions = pgTable(
  'transactions',
  {
    id: serial('id').primaryKey(),
    /** What it is for, and the guard against doing it twice. */
    reference: reference('reference').notNull().unique(),
    chainId: integer('chain_id').notNull(),
    sender: text('sender').$type<Hex>().notNull(),
    nonce: integer('nonce').notNull(),
    hash: text('hash').$type<Hex>().notNull(),
    raw: text('raw').$type<Hex>().notNull(),
    /** What stood here before with a lower fee, the oldest first: any of them may still be the one that lands. */
    replaced: jsonb('replaced').$type<{ hash: Hex; raw: Hex }[]>().notNull().default([]),
    status: oneOf('status', transactionStates).notNull(),
    blockNumber: integer('block_number'),
    gasUsed: amount('gas_used'),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    // A dropped transaction never lands, and its place may be taken.
    uniqueIndex('transactions_one_per_nonce')
      .on(table.chainId, table.sender, table.nonce)
      .where(sql`status <> 'dropped'`),
    index('transactions_unfinished').on(table.status),
  ],
)

/** The next nonce of each relayer account on each chain. The row is locked while a transaction is signed for it. */
export const lanes = pgTable(
  'lanes',
  {
    chainId: integer('chain_id').notNull(),
    sender: text('sender').$type<Hex>().notNull(),
    nextNonce: integer('next_nonce').notNull(),
  },
  (table) => [primaryKey({ columns: [table.chainId, table.sender] })],
)

/** Purchases on another chain that a decent redeem paid for, by the message that the bridge adapter emitted. */
export const bridgeMessages = pgTable(
  'bridge_messages',
  {
    sourceChainId: integer('source_chain_id').notNull(),
    messageId: text('message_id').$type<Hex>().notNull(),
    wallet: text('wallet').$type<Hex>().notNull(),
    nonce: text('nonce').$type<Hex>().notNull(),
    destinationChainId: integer('destination_chain_id').notNull(),
    /** What `execute` is called with, ABI-encoded. */
    delivery: text('delivery').$type<Hex>().notNull(),
    status: oneOf('status', bridgeMessageStates).notNull(),
    hash: text('hash').$type<Hex>(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.sourceChainId, table.messageId] })],
)

/** Which deployment the rows of a blockchain belong to: a local chain can be thrown away and started anew. */
export const deployments = pgTable('deployments', {
  blockchain: oneOf('blockchain', evmBlockchains).primaryKey(),
  chainId: integer('chain_id').notNull(),
  creditsContract: text('credits_contract').$type<Hex>().notNull(),
})

/**
 * USDC transfers on Solana and Stellar that the service built and pays the fees of. Once co-signed, `raw` and `hash` are
 * here before anything is sent, so that a transfer found unfinished is sent again as it stands.
 */
export const usdcTransfers = pgTable(
  'usdc_transfers',
  {
    id: text('id').primaryKey(),
    blockchain: oneOf('blockchain', transferBlockchains).notNull(),
    wallet: text('wallet').notNull(),
    destination: text('destination').notNull(),
    amount: amount('amount').notNull(),
    paymentId: text('payment_id'),
    /** Who pays the fees, and whose sequence number is spoken for (Stellar). */
    sponsor: text('sponsor').notNull(),
    /** What the chain's own code needs to know it by again, as JSON. */
    prepared: text('prepared').notNull(),
    /** Whether its price has the rent of a token account in it, which the sponsor pays. */
    paysRent: boolean('pays_rent').notNull().default(false),
    status: oneOf('status', usdcTransferStates).notNull(),
    /** The whole transaction with every signature. */
    raw: text('raw'),
    hash: text('hash'),
    /** Why it failed. */
    error: text('error'),
    expiresAt: moment('expires_at').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    // A payment is paid once, however often it was prepared.
    uniqueIndex('usdc_transfers_one_per_payment')
      .on(table.blockchain, table.wallet, table.paymentId)
      .where(sql`status in ('journalled', 'settled')`),
    uniqueIndex('usdc_transfers_one_per_hash').on(table.blockchain, table.hash),
    index('usdc_transfers_by_sponsor').on(table.blockchain, table.sponsor, table.status),
  ],
)

/** How far a developer has put the clock forward (PROTOCOL.md 2.10): one row, since chains that are kept are that far ahead, too. */
export const sandboxClock = pgTable('sandbox_clock', {
  name: text('name').primaryKey(),
  offsetMs: bigint('offset_ms', { mode: 'number' }).notNull(),
})
