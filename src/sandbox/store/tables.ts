import { sql } from 'drizzle-orm'
import {
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  serial,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import type { Hex } from 'viem'
import { blockchains, evmBlockchains } from '../../core/blockchains.ts'
import { amount, moment, oneOf, reference } from './columns.ts'
import {
  bridgeMessageStates,
  jobStates,
  jobTypes,
  programStates,
  redeemShapes,
  redeemStates,
  transactionStates,
  transferBlockchains,
  usdcTransferStates,
} from './states.ts'

/** Who sells. The API key is kept as a SHA-256 hash. */
export const merchants = pgTable('merchants', {
  merchantId: text('merchant_id').primaryKey(),
  creditSeed: text('credit_seed').notNull().unique(),
  apiKeyHash: text('api_key_hash').notNull().unique(),
})

/**
 * Sign-in messages that were issued. Verified once, a message's signature is a credential until `expiresAt`; only the
 * SHA-256 hash of the signature is kept.
 */
export const authChallenges = pgTable(
  'auth_challenges',
  {
    nonce: text('nonce').primaryKey(),
    blockchain: oneOf('blockchain', blockchains).notNull(),
    wallet: text('wallet').notNull(),
    /** Scheme and host that the message names. */
    origin: text('origin'),
    message: text('message').notNull(),
    transaction: text('transaction'),
    issuedAt: moment('issued_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    credentialHash: text('credential_hash'),
  },
  (table) => [index('auth_challenges_by_wallet').on(table.blockchain, table.wallet, table.issuedAt)],
)

/** Session keys, by the SHA-256 hash of the key. */
export const sessionKeys = pgTable('session_keys', {
  keyHash: text('key_hash').primaryKey(),
  merchantId: text('merchant_id').notNull(),
  userId: text('user_id'),
  wallet: text('wallet'),
  blockchain: oneOf('blockchain', blockchains),
  expiresAt: moment('expires_at').notNull(),
})

/** What each nonce stands for (PROTOCOL.md 4.1): written before the message to sign is answered. */
export const intents = pgTable(
  'intents',
  {
    blockchain: oneOf('blockchain', evmBlockchains).notNull(),
    wallet: text('wallet').$type<Hex>().notNull(),
    nonce: text('nonce').$type<Hex>().notNull(),
    merchantId: text('merchant_id').notNull(),
    salt: text('salt').$type<Hex>().notNull(),
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
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.blockchain, table.wallet, table.nonce] })],
)

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

/** Background jobs of the merchant side: mint. */
export const jobs = pgTable(
  'jobs',
  {
    jobId: text('job_id').primaryKey(),
    merchantId: text('merchant_id').notNull(),
    type: oneOf('type', jobTypes).notNull(),
    blockchain: oneOf('blockchain', evmBlockchains).notNull(),
    wallet: text('wallet').$type<Hex>().notNull(),
    amount: amount('amount').notNull(),
    idempotencyKey: text('idempotency_key'),
    status: oneOf('status', jobStates).notNull(),
    value: text('value'),
    error: text('error'),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [unique('jobs_idempotency').on(table.merchantId, table.type, table.idempotencyKey)],
)

/** Whitelist requests of merchants. The chain's own whitelist is what counts. */
export const programs = pgTable(
  'programs',
  {
    merchantId: text('merchant_id').notNull(),
    blockchain: oneOf('blockchain', evmBlockchains).notNull(),
    programId: text('program_id').$type<Hex>().notNull(),
    /** 4 bytes in hex, or `any`. */
    selector: text('selector').notNull(),
    status: oneOf('status', programStates).notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.merchantId, table.blockchain, table.programId, table.selector] })],
)

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
