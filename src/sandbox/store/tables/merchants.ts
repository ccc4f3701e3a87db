import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgTable, primaryKey, text, unique } from 'drizzle-orm/pg-core'
import type { Hex } from 'viem'
import { blockchains, evmBlockchains } from '../../../redeemkit/core/blockchains.ts'
import type { SandboxMerchantSettings } from '../../merchantOptions.ts'
import { amount, moment, oneOf } from '../columns.ts'
import { jobStates, jobTypes, keyScopes, programStates, sellerWithdrawalStates } from '../states.ts'

export const merchants = pgTable('merchants', {
  merchantId: text('merchant_id').primaryKey(),
  creditSeed: text('credit_seed').notNull().unique(),
  /** Secret that signs the merchant's JWTs, so it is stored in plain text. 244 random bits by default. */
  jwtSecret: text('jwt_secret')
    .notNull()
    .default(sql`replace(gen_random_uuid()::text || gen_random_uuid(), '-', '')`),
  enforceCheckoutJwt: boolean('enforce_checkout_jwt').notNull().default(false),
  settings: jsonb('settings').$type<SandboxMerchantSettings>().notNull().default({}),
})

/** API keys of merchants, as SHA-256 hashes. */
export const apiKeys = pgTable('api_keys', {
  /** Beginning of the hash, which identifies the row. The rest is compared in constant time. */
  keyId: text('key_id').primaryKey(),
  keyHash: text('key_hash').notNull(),
  merchantId: text('merchant_id').notNull(),
  /** Null means unrestricted. */
  scope: oneOf('scope', keyScopes),
  /** Addresses and networks that may use the key. Empty means any. */
  ips: jsonb('ips').$type<readonly string[]>().notNull(),
  disabled: boolean('disabled').notNull(),
})

/** Whitelist requests of merchants. On EVM chains, the chain's own whitelist decides. */
export const programs = pgTable(
  'programs',
  {
    merchantId: text('merchant_id').notNull(),
    blockchain: oneOf('blockchain', [...evmBlockchains, 'stellar']).notNull(),
    programId: text('program_id').$type<Hex | string>().notNull(),
    /** Selector as 4 bytes in hex, or `any`. */
    selector: text('selector').notNull(),
    /** Signature of the function, if the approval named it. */
    signature: text('signature'),
    /** Gas that a relayer must provide, as in the last approval. */
    minimumGas: integer('minimum_gas'),
    status: oneOf('status', programStates).notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.merchantId, table.blockchain, table.programId, table.selector] })],
)

/** A verified message's signature is a credential until `expiresAt`. Only the signature's SHA-256 hash is stored. */
export const authChallenges = pgTable(
  'auth_challenges',
  {
    nonce: text('nonce').primaryKey(),
    blockchain: oneOf('blockchain', blockchains).notNull(),
    wallet: text('wallet').notNull(),
    /** Scheme and host in the message. */
    origin: text('origin'),
    message: text('message').notNull(),
    transaction: text('transaction'),
    issuedAt: moment('issued_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
    credentialHash: text('credential_hash'),
  },
  (table) => [index('auth_challenges_by_wallet').on(table.blockchain, table.wallet, table.issuedAt)],
)

/** Session keys, identified by their SHA-256 hash. */
export const sessionKeys = pgTable('session_keys', {
  keyHash: text('key_hash').primaryKey(),
  merchantId: text('merchant_id').notNull(),
  userId: text('user_id'),
  wallet: text('wallet'),
  blockchain: oneOf('blockchain', blockchains),
  expiresAt: moment('expires_at').notNull(),
})

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

/** Proceeds of settled payments in merchants' balances, in raw units of USDC (PROTOCOL.md 10.2). */
export const proceeds = pgTable(
  'proceeds',
  {
    paymentId: text('payment_id').primaryKey(),
    merchantId: text('merchant_id').notNull(),
    amount: amount('amount').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [index('proceeds_by_merchant').on(table.merchantId)],
)

/** Withdrawals from merchants' balances. Failed withdrawals are not subtracted. */
export const sellerWithdrawals = pgTable(
  'seller_withdrawals',
  {
    withdrawalId: text('withdrawal_id').primaryKey(),
    merchantId: text('merchant_id').notNull(),
    blockchain: oneOf('blockchain', evmBlockchains).notNull(),
    destination: text('destination').$type<Hex>().notNull(),
    amount: amount('amount').notNull(),
    status: oneOf('status', sellerWithdrawalStates).notNull(),
    hash: text('hash').$type<Hex>(),
    error: text('error'),
    idempotencyKey: text('idempotency_key'),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    index('seller_withdrawals_by_merchant').on(table.merchantId),
    index('seller_withdrawals_by_status').on(table.status),
    unique('seller_withdrawals_idempotency').on(table.merchantId, table.idempotencyKey),
  ],
)
