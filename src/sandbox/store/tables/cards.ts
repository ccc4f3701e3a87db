import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { blockchains } from '../../../redeemkit/core/blockchains.ts'
import { moment, oneOf } from '../columns.ts'
import { cardBehaviours, cardChallengeStates } from '../states.ts'

/** Cards by their token, which belongs to one merchant. Neither number nor CVV is kept: what the card does is. */
export const cardTokens = pgTable('card_tokens', {
  token: text('token').primaryKey(),
  merchantId: text('merchant_id').notNull(),
  firstSix: text('first_six').notNull(),
  lastFour: text('last_four').notNull(),
  expMonth: integer('exp_month').notNull(),
  /** Four digits. */
  expYear: integer('exp_year').notNull(),
  behaviour: oneOf('behaviour', cardBehaviours).notNull(),
  referenceNumber: text('reference_number').notNull(),
  /** Of a token that the card form made (PROTOCOL.md 10.8): the purchase that it pays, and whose it is. */
  purchaseId: text('purchase_id'),
  userId: text('user_id'),
  wallet: text('wallet'),
  blockchain: oneOf('blockchain', blockchains),
  createdAt: moment('created_at').notNull(),
})

/** 3DS challenges, each of one payment. */
export const cardChallenges = pgTable('card_challenges', {
  transactionId: text('transaction_id').primaryKey(),
  merchantId: text('merchant_id').notNull(),
  paymentId: text('payment_id').notNull(),
  /** SHA-256 of customer and body: an answered challenge is good for the same purchase only. */
  purchaseHash: text('purchase_hash').notNull(),
  status: oneOf('status', cardChallengeStates).notNull(),
  createdAt: moment('created_at').notNull(),
})

/** Cards that customers left with a merchant, to be charged later (PROTOCOL.md 10.3). */
export const cardsOnFile = pgTable(
  'cards_on_file',
  {
    cardId: text('card_id').primaryKey(),
    merchantId: text('merchant_id').notNull(),
    userId: text('user_id'),
    wallet: text('wallet'),
    blockchain: oneOf('blockchain', blockchains),
    cardToken: text('card_token').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [index('cards_on_file_by_customer').on(table.merchantId, table.userId, table.wallet)],
)
