import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { amountPerCent } from '../../../redeemkit/core/amount.ts'
import { paymentStatus } from '../../../redeemkit/schema/payment.ts'
import type { Pauses } from '../../relayer/createLoop.ts'
import type { Database, DatabaseWork } from '../../store/database.ts'
import { emitEvent } from '../../store/emitEvent.ts'
import { payments, proceeds, sellerWithdrawals } from '../../store/tables/index.ts'
import { paymentMeanings } from '../payments/paymentMeanings.ts'
import type { Service } from '../service.ts'
import { sendOnce } from './sendOnce.ts'

/**
 * Returns raw units of USDC; negative if withdrawn payments were refunded later. A refund reduces a payment's proceeds by the refunded
 * share of its total (including a part paid in USDC), rounded up in the service's favour. Disputed and lost payments do not count.
 */
export async function readBalance(work: Pick<DatabaseWork, 'select'>, merchantId: string): Promise<bigint> {
  const [came] = await work
    .select({
      sum: sql<string>`coalesce(sum(
        ${proceeds.amount} - coalesce(ceil(${proceeds.amount} * ${payments.refundedCents} / nullif(${payments.totalCents}, 0)), 0)
        ), 0)`,
    })
    .from(proceeds)
    .innerJoin(payments, eq(payments.paymentId, proceeds.paymentId))
    .where(and(eq(proceeds.merchantId, merchantId), inArray(payments.status, earningStates)))
  const [went] = await work
    .select({ sum: sql<string>`coalesce(sum(${sellerWithdrawals.amount}), 0)` })
    .from(sellerWithdrawals)
    .where(and(eq(sellerWithdrawals.merchantId, merchantId), ne(sellerWithdrawals.status, 'failed')))
  return wholeOf(came?.sum) - wholeOf(went?.sum)
}

const earningStates = paymentStatus.options.filter((status) => paymentMeanings[status].earns)

/** Converts a whole `numeric`, which PostgreSQL may write with decimal zeros. */
function wholeOf(numeric: string | undefined): bigint {
  return BigInt((numeric ?? '0').split('.')[0] ?? '0')
}

export async function closeWithdrawal(work: DatabaseWork, options: closeWithdrawal.Options): Promise<void> {
  const { withdrawalId, outcome, at } = options
  const [row] = await work
    .update(sellerWithdrawals)
    .set({ ...outcome, updatedAt: at })
    .where(and(eq(sellerWithdrawals.withdrawalId, withdrawalId), eq(sellerWithdrawals.status, 'pending')))
    .returning()
  if (row === undefined) return
  await emitEvent(work, withdrawalEvent(row, at))
}

export declare namespace closeWithdrawal {
  type Options = {
    withdrawalId: string
    outcome: { status: 'completed'; hash: Hex } | { status: 'failed'; error: string }
    at: Date
  }
}

export function withdrawalEvent(row: WithdrawalRow, at: Date): emitEvent.Event {
  const { withdrawalId, merchantId, blockchain, destination, amount, status, hash, error } = row
  return {
    merchantId,
    type: `withdrawal.${status}`,
    at,
    data: {
      withdrawalId,
      blockchain,
      destination,
      amount: { cents: Number(amount / amountPerCent) },
      ...(hash !== null && { transaction: hash }),
      ...(error !== null && { error }),
    },
  }
}

export type WithdrawalRow = typeof sellerWithdrawals.$inferSelect

/**
 * Does nothing if the withdrawal is already being sent. Returns the hash; undefined if the transfer would revert and the withdrawal
 * failed.
 */
export async function sendWithdrawal(
  service: Service,
  database: Database,
  row: WithdrawalRow,
): Promise<Hex | undefined> {
  const { withdrawalId } = row
  const chain = service.chains.get(row.blockchain)
  if (chain?.usdc === undefined)
    throw new Error(
      `Withdrawal ${withdrawalId} is for ${row.blockchain}, which this service does not support.`,
    )
  return sendOnce(service, {
    database,
    chain,
    reference: { kind: 'withdrawal', withdrawalId },
    request: {
      to: chain.usdc,
      data: encodeFunctionData({
        abi: erc20Abi,
        functionName: 'transfer',
        args: [row.destination, row.amount],
      }),
    },
    holdPending: async (work) => {
      const [held] = await work
        .select({ status: sellerWithdrawals.status })
        .from(sellerWithdrawals)
        .where(eq(sellerWithdrawals.withdrawalId, withdrawalId))
        .for('update')
      return held?.status === 'pending'
    },
    fail: (work, reason) =>
      closeWithdrawal(work, {
        withdrawalId,
        outcome: { status: 'failed', error: `The USDC contract rejected the transfer: ${reason}.` },
        at: new Date(service.now()),
      }),
  })
}

/** Sends the withdrawals that a process left pending when it ended. Returns whether any withdrawal is still unsent. */
export async function sendWithdrawals(
  service: Service,
  database: Database,
  pauses: Pauses,
): Promise<boolean> {
  const pending = await database
    .select()
    .from(sellerWithdrawals)
    .where(eq(sellerWithdrawals.status, 'pending'))
  let due = false
  for (const row of pending) {
    if (!service.chains.has(row.blockchain)) continue
    due = true
    await pauses.run(row.withdrawalId, () => sendWithdrawal(service, database, row), service.onError)
  }
  return due
}
