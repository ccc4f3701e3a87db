import { and, eq, ne, sql } from 'drizzle-orm'
import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { amountPerCent } from '../../../redeemkit/core/amount/centsToAmount.ts'
import { decodeRevert, revertDataOf } from '../../contracts/revert.ts'
import type { Pauses } from '../../relayer/createLoop.ts'
import { withHeadroom } from '../../relayer/withHeadroom.ts'
import type { Database, DatabaseWork } from '../../store/database.ts'
import { emitEvent } from '../../store/emitEvent.ts'
import { isFor } from '../../store/isFor.ts'
import { payments, proceeds, sellerWithdrawals, transactions } from '../../store/tables/index.ts'
import type { Service } from '../service.ts'

/**
 * A merchant's withdrawable balance in raw units of USDC. It is negative if withdrawn payments were refunded later.
 *
 * Refunded parts are subtracted, rounded up in the service's favour; disputed and lost payments do not count.
 */
export async function readBalance(work: Pick<DatabaseWork, 'select'>, merchantId: string): Promise<bigint> {
  const [came] = await work
    .select({
      sum: sql<string>`coalesce(sum(case when ${payments.status} in ('disputed', 'lost') then 0 else
        ${proceeds.amount} - coalesce(ceil(${proceeds.amount} * ${payments.refundedCents} / nullif(${payments.chargedCents}, 0)), 0)
        end), 0)`,
    })
    .from(proceeds)
    .innerJoin(payments, eq(payments.paymentId, proceeds.paymentId))
    .where(eq(proceeds.merchantId, merchantId))
  const [went] = await work
    .select({ sum: sql<string>`coalesce(sum(${sellerWithdrawals.amount}), 0)` })
    .from(sellerWithdrawals)
    .where(and(eq(sellerWithdrawals.merchantId, merchantId), ne(sellerWithdrawals.status, 'failed')))
  return wholeOf(came?.sum) - wholeOf(went?.sum)
}

/** PostgreSQL may write a whole numeric with decimal zeros. */
function wholeOf(numeric: string | undefined): bigint {
  return BigInt((numeric ?? '0').split('.')[0] ?? '0')
}

/** Stores the outcome of a pending withdrawal and emits `withdrawal.completed` or `withdrawal.failed`. */
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
    /** By the service's clock. */
    at: Date
  }
}

const eventTypes = {
  pending: 'withdrawal.pending',
  completed: 'withdrawal.completed',
  failed: 'withdrawal.failed',
} as const

/** The webhook event of a merchant's own withdrawal (PROTOCOL.md 10.4). */
export function withdrawalEvent(row: typeof sellerWithdrawals.$inferSelect, at: Date): emitEvent.Event {
  const { withdrawalId, merchantId, blockchain, destination, amount, status, hash, error } = row
  return {
    merchantId,
    type: eventTypes[status],
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
 * Sends the USDC of a pending withdrawal unless it is already being sent. A transfer that would revert marks it as failed.
 *
 * @returns the transaction's hash; undefined if the withdrawal failed
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
  const sent = await attemptsOf(database, withdrawalId)
  const underWay = sent.find(({ status }) => status !== 'dropped')
  if (underWay !== undefined) return underWay.hash
  const request = {
    to: chain.usdc,
    data: encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transfer',
      args: [row.destination, row.amount],
    }),
  }
  try {
    const gas = await chain.client.estimateGas({ account: chain.operator.address, ...request })
    const { hash } = await service.relayer.send({
      chainId: chain.chainId,
      account: chain.operator,
      reference: { kind: 'withdrawal', withdrawalId, attempt: sent.length + 1 },
      request: { ...request, gas: withHeadroom(gas) },
      also: async (work) => {
        if (!(await holdPending(work, withdrawalId)))
          throw new Error(`Withdrawal ${withdrawalId} was closed before it could be sent.`)
      },
    })
    return hash
  } catch (error) {
    const data = revertDataOf(error)
    if (data === undefined) throw error
    const reason = `USDC refused the transfer: ${decodeRevert(data).reason.slice(0, 300)}.`
    return database.transaction(async (work) => {
      // Another process may have sent it, which empties the balance; then its result counts.
      await holdPending(work, withdrawalId)
      const other = await findUnderWay(work, withdrawalId)
      if (other === undefined)
        await closeWithdrawal(work, {
          withdrawalId,
          outcome: { status: 'failed', error: reason },
          at: new Date(service.now()),
        })
      return other?.hash
    })
  }
}

/** Locks the row until the transaction ends, so that only one process sends the withdrawal or marks it as failed. */
async function holdPending(work: DatabaseWork, withdrawalId: string): Promise<boolean> {
  const [row] = await work
    .select({ status: sellerWithdrawals.status })
    .from(sellerWithdrawals)
    .where(eq(sellerWithdrawals.withdrawalId, withdrawalId))
    .for('update')
  return row?.status === 'pending'
}

const attemptsOf = (work: Pick<DatabaseWork, 'select'>, withdrawalId: string) =>
  work
    .select({ status: transactions.status, hash: transactions.hash })
    .from(transactions)
    .where(isFor({ kind: 'withdrawal', withdrawalId }))

async function findUnderWay(work: Pick<DatabaseWork, 'select'>, withdrawalId: string) {
  return (await attemptsOf(work, withdrawalId)).find(({ status }) => status !== 'dropped')
}

/**
 * Sends withdrawals that an earlier process left pending.
 *
 * @returns whether any is still unsent
 */
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
    if (pauses.has(row.withdrawalId)) continue
    try {
      await sendWithdrawal(service, database, row)
      pauses.done(row.withdrawalId)
    } catch (error) {
      pauses.failed(row.withdrawalId)
      service.onError?.(error)
    }
  }
  return due
}
