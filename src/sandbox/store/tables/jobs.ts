import { pgTable, text, unique } from 'drizzle-orm/pg-core'
import type { Hex } from 'viem'
import { evmBlockchains } from '../../../redeemkit/core/blockchains.ts'
import { amount, moment, oneOf } from '../columns.ts'
import { jobStates, jobTypes } from '../states.ts'

/** Background jobs of the merchant side: mint and burn. */
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
