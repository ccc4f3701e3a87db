import { index, pgTable, text } from 'drizzle-orm/pg-core'
import { blockchains } from '../../../redeemkit/core/blockchains.ts'
import { moment, oneOf } from '../columns.ts'

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
