import { sql } from 'drizzle-orm'
import { boolean, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { amount, moment, oneOf } from '../columns.ts'
import { transferBlockchains, usdcTransferStates } from '../states.ts'

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
