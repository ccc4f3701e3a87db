import { type SQL, sql } from 'drizzle-orm'
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
import { amount, moment, oneOf, type Reference, reference } from '../columns.ts'
import { bridgeMessageStates, transactionStates, transferBlockchains, usdcTransferStates } from '../states.ts'

/** The journal: signed bytes are stored before they are broadcast. After a crash, the same bytes are broadcast again. */
export const transactions = pgTable(
  'transactions',
  {
    id: serial('id').primaryKey(),
    /** The purpose, which is unique, so that nothing is executed twice. */
    reference: reference('reference').notNull().unique(),
    chainId: integer('chain_id').notNull(),
    sender: text('sender').$type<Hex>().notNull(),
    nonce: integer('nonce').notNull(),
    hash: text('hash').$type<Hex>().notNull(),
    raw: text('raw').$type<Hex>().notNull(),
    /** Replaced transactions with lower fees, oldest first. Each of them may still be mined. */
    replaced: jsonb('replaced').$type<{ hash: Hex; raw: Hex }[]>().notNull().default([]),
    status: oneOf('status', transactionStates).notNull(),
    blockNumber: integer('block_number'),
    gasUsed: amount('gas_used'),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    // A dropped transaction is never mined, so its nonce is free again.
    uniqueIndex('transactions_one_per_nonce')
      .on(table.chainId, table.sender, table.nonce)
      .where(sql`status <> 'dropped'`),
    index('transactions_unfinished').on(table.status),
  ],
)

/** Selects transactions by some fields of their reference, for example all attempts of a job. */
export function isFor(part: ReferencePart): SQL {
  return sql`${transactions.reference} @> ${JSON.stringify(part)}::jsonb`
}

type ReferencePart = Reference extends infer one
  ? one extends Reference
    ? Pick<one, 'kind'> & Partial<Omit<one, 'kind' | 'attempt'>>
    : never
  : never

/** The next nonce of each relayer account on each chain. The row is locked while a transaction is signed. */
export const nonceQueues = pgTable(
  'nonce_queues',
  {
    chainId: integer('chain_id').notNull(),
    sender: text('sender').$type<Hex>().notNull(),
    nextNonce: integer('next_nonce').notNull(),
  },
  (table) => [primaryKey({ columns: [table.chainId, table.sender] })],
)

/** Messages of bridge adapters. Each is a purchase on another chain, which a `decent` redeem paid for. */
export const bridgeMessages = pgTable(
  'bridge_messages',
  {
    sourceChainId: integer('source_chain_id').notNull(),
    messageId: text('message_id').$type<Hex>().notNull(),
    wallet: text('wallet').$type<Hex>().notNull(),
    nonce: text('nonce').$type<Hex>().notNull(),
    destinationChainId: integer('destination_chain_id').notNull(),
    /** ABI-encoded arguments of the adapter's `execute`. */
    delivery: text('delivery').$type<Hex>().notNull(),
    status: oneOf('status', bridgeMessageStates).notNull(),
    /** Hash of the transaction that paid for the message on the source chain. */
    sourceHash: text('source_hash').$type<Hex>().notNull(),
    hash: text('hash').$type<Hex>(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.sourceChainId, table.messageId] })],
)

/** The deployment to which a blockchain's rows belong. A local chain can be discarded and started again. */
export const deployments = pgTable('deployments', {
  blockchain: oneOf('blockchain', evmBlockchains).primaryKey(),
  chainId: integer('chain_id').notNull(),
  creditsContract: text('credits_contract').$type<Hex>().notNull(),
})

/** After co-signing, `raw` and `hash` are stored before the submission, so that unfinished transfers can be resubmitted unchanged. */
export const usdcTransfers = pgTable(
  'usdc_transfers',
  {
    id: text('id').primaryKey(),
    blockchain: oneOf('blockchain', transferBlockchains).notNull(),
    wallet: text('wallet').notNull(),
    destination: text('destination').notNull(),
    amount: amount('amount').notNull(),
    paymentId: text('payment_id'),
    /** The account that pays the fees. On Stellar, its sequence number is reserved for the transfer. */
    sponsor: text('sponsor').notNull(),
    /** JSON that the chain's code needs when the signed transaction arrives. */
    prepared: text('prepared').notNull(),
    /** Whether the sponsor may pay the rent of a token account. */
    paysRent: boolean('pays_rent').notNull().default(false),
    status: oneOf('status', usdcTransferStates).notNull(),
    raw: text('raw'),
    hash: text('hash'),
    error: text('error'),
    expiresAt: moment('expires_at').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    // A payment can be paid only once, even if it was prepared several times.
    uniqueIndex('usdc_transfers_one_per_payment')
      .on(table.blockchain, table.wallet, table.paymentId)
      .where(sql`status in ('journalled', 'settled')`),
    uniqueIndex('usdc_transfers_one_per_hash').on(table.blockchain, table.hash),
    index('usdc_transfers_by_sponsor').on(table.blockchain, table.sponsor, table.status),
  ],
)

/** Offset of the service's clock (PROTOCOL.md 2.10), in a single row. The time of persisted chains is ahead by the same offset. */
export const sandboxClock = pgTable('sandbox_clock', {
  name: text('name').primaryKey(),
  offsetMs: bigint('offset_ms', { mode: 'number' }).notNull(),
})
