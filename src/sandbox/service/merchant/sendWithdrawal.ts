import { and, eq, ne, sql } from 'drizzle-orm'
import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { amountPerCent } from '../../../redeemkit/core/amount/centsToAmount.ts'
import { decodeRevert, revertDataOf } from '../../contracts/revert.ts'
import type { Pauses } from '../../relayer/createPauses.ts'
import type { Database, DatabaseWork } from '../../store/database.ts'
import { emitEvent } from '../../store/emitEvent.ts'
import { isFor } from '../../store/isFor.ts'
import { payments, proceeds, sellerWithdrawals, transactions } from '../../store/tables/index.ts'
import type { Service } from '../service.ts'

/**
 * What a merchant may withdraw, raw units of USDC; below zero after refunds of what was withdrawn already.
 *
 * A refunded part of a payment counts no more, rounded up in the service's favour; nor does a payment that is disputed or lost.
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

/** PostgreSQL writes a whole numeric with or without decimal zeros. */
function wholeOf(numeric: string | undefined): bigint {
  return BigInt((numeric ?? '0').split('.')[0] ?? '0')
}

/** Writes down what became of a pending withdrawal and tells its merchant: `withdrawal.completed` or `withdrawal.failed`. */
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

/** What a merchant is told of a withdrawal of its own (PROTOCOL.md 10.4). */
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

/** A withdrawal as the database has it. */
export type WithdrawalRow = typeof sellerWithdrawals.$inferSelect

/**
 * Sends the USDC of a pending withdrawal, unless that is under way already. What would fail is written down as failed.
 *
 * @returns the transaction's hash; undefined when the withdrawal has failed
 * @throws what the node said when it does not work
 */
export async function sendWithdrawal(
  service: Service,
  database: Database,
  row: WithdrawalRow,
): Promise<Hex | undefined> {
  const { withdrawalId } = row
  const chain = service.chains.get(row.blockchain)
  if (chain?.usdc === undefined)
    throw new Error(`Withdrawal ${withdrawalId} is for ${row.blockchain}, which is not served.`)
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
      request: { ...request, gas: (gas * 5n) / 4n },
      also: async (work) => {
        if (!(await holdPending(work, withdrawalId)))
          throw new Error(`Withdrawal ${withdrawalId} was closed before it was sent.`)
      },
    })
    return hash
  } catch (error) {
    const data = revertDataOf(error)
    if (data === undefined) throw error
    const reason = `USDC does not take the transfer: ${decodeRevert(data).reason.slice(0, 300)}.`
    return database.transaction(async (work) => {
      // It may fail because another process has sent it meanwhile and nothing is left: then that one counts.
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

/** Holds the row until the database transaction ends: whether it is sent and whether it has failed is decided by one at a time. */
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
 * Sends the withdrawals that a former process left pending.
 *
 * @returns whether one is still to be sent
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
