import { eq } from 'drizzle-orm'
import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { decodeRevert, revertDataOf } from '../../contracts/revert.ts'
import type { Pauses } from '../../relayer/createLoop.ts'
import type { Database, DatabaseWork } from '../../store/database.ts'
import { isFor } from '../../store/isFor.ts'
import { sellerWithdrawals, transactions } from '../../store/tables/index.ts'
import type { Service } from '../service.ts'
import { closeWithdrawal } from './closeWithdrawal.ts'

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
