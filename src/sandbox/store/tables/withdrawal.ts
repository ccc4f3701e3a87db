import { boolean, index, jsonb, pgTable, primaryKey, serial, text, unique } from 'drizzle-orm/pg-core'
import { blockchains } from '../../../redeemkit/core/blockchains.ts'
import type { Currency } from '../../../redeemkit/schema/subtotal.ts'
import type { Owner } from '../../../redeemkit/schema/verification.ts'
import type { Withdrawer } from '../../../redeemkit/schema/withdrawal.ts'
import { moment, oneOf } from '../columns.ts'
import { availabilityStates, verificationStates } from '../states.ts'

/** Withdrawers, one per user of a merchant (PROTOCOL.md 11.14). Tax ids and documents are not stored. */
export const withdrawers = pgTable(
  'withdrawers',
  {
    withdrawerId: text('withdrawer_id').primaryKey(),
    merchantId: text('merchant_id').notNull(),
    userId: text('user_id').notNull(),
    /** The first wallet; `withdrawerWallets` contains all wallets. */
    wallet: text('wallet').notNull(),
    blockchain: oneOf('blockchain', blockchains).notNull(),
    email: text('email').notNull(),
    country: text('country').notNull(),
    currency: text('currency').$type<Currency>().notNull(),
    business: boolean('business').notNull(),
    name: text('name'),
    /** Id of the current verification, which is also part of the URL of its page. */
    reference: text('reference').notNull().unique(),
    verification: oneOf('verification', verificationStates).notNull(),
    vendor: text('vendor').notNull(),
    rejectionReasons: jsonb('rejection_reasons').$type<readonly string[]>().notNull(),
    /** Names and verification states of the owners, and no other data. */
    ubos: jsonb('ubos').$type<readonly Owner[]>().notNull(),
    redirectLink: text('redirect_link'),
    availability: oneOf('availability', availabilityStates).notNull(),
    availabilityReason: text('availability_reason').notNull(),
    availabilityEditor: text('availability_editor').notNull(),
    availabilityAt: moment('availability_at').notNull(),
    riskScoreOverride: boolean('risk_score_override').notNull(),
    geoBlockOverride: jsonb('geo_block_override').$type<Withdrawer['geoBlockOverride']>(),
    blockCardReuseExempt: boolean('block_card_reuse_exempt').notNull(),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [unique('withdrawers_by_user').on(table.merchantId, table.userId)],
)

/** Wallets of withdrawers, in the order in which they were added. */
export const withdrawerWallets = pgTable(
  'withdrawer_wallets',
  {
    id: serial('id').primaryKey(),
    merchantId: text('merchant_id').notNull(),
    withdrawerId: text('withdrawer_id').notNull(),
    blockchain: oneOf('blockchain', blockchains).notNull(),
    wallet: text('wallet').notNull(),
  },
  (table) => [unique('withdrawer_wallets_once').on(table.withdrawerId, table.blockchain, table.wallet)],
)

/** A person's data, with which a user's data is compared (PROTOCOL.md 10.7). */
export const kycRecords = pgTable(
  'kyc_records',
  {
    merchantId: text('merchant_id').notNull(),
    userId: text('user_id').notNull(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    /** `YYYY-MM-DD`. */
    dob: text('dob'),
    country: text('country'),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.merchantId, table.userId] })],
)

/** Bank accounts of users, by token. Only the number's hash and last four characters are stored. */
export const bankAccounts = pgTable(
  'bank_accounts',
  {
    token: text('token').primaryKey(),
    merchantId: text('merchant_id').notNull(),
    userId: text('user_id').notNull(),
    /** SHA-256 of merchant and account, which is equal for equal accounts. */
    accountHash: text('account_hash').notNull(),
    country: text('country').notNull(),
    lastFour: text('last_four').notNull(),
    bic: text('bic'),
    alias: text('alias'),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    unique('bank_accounts_once').on(table.merchantId, table.userId, table.accountHash),
    index('bank_accounts_by_account').on(table.merchantId, table.accountHash),
  ],
)

/** The first location that was reported for a merchant's customer. It is not changed later (PROTOCOL.md 10.7). */
export const pinnedPlaces = pgTable(
  'pinned_places',
  {
    merchantId: text('merchant_id').notNull(),
    /** `user:` and the user id or, without one, `wallet:`, the chain and the wallet. */
    customer: text('customer').notNull(),
    country: text('country').notNull(),
    state: text('state'),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.merchantId, table.customer] })],
)
