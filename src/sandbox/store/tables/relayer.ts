import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, primaryKey, serial, text, uniqueIndex } from 'drizzle-orm/pg-core'
import type { Hex } from 'viem'
import { evmBlockchains } from '../../../redeemkit/core/blockchains.ts'
import { amount, moment, oneOf, reference } from '../columns.ts'
import { bridgeMessageStates, transactionStates } from '../states.ts'

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
