import { index, pgTable, text, unique } from 'drizzle-orm/pg-core'
import type { Hex } from 'viem'
import { evmBlockchains } from '../../../redeemkit/core/blockchains.ts'
import { amount, moment, oneOf } from '../columns.ts'
import { sellerWithdrawalStates } from '../states.ts'

/** What settled payments brought into merchants' wallets at the service, raw units of USDC (PROTOCOL.md 10.2). */
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

/** What merchants took out of their wallets at the service. One that failed takes nothing. */
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
    /** Why it failed. */
    error: text('error'),
    /** The merchant's own name of it, under which it is made once. */
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
