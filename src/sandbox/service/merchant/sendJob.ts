import { and, eq } from 'drizzle-orm'
import { checkAddress } from '../../../redeemkit/evm/checkAddress.ts'
import { burnCall, mintCall } from '../../contracts/creditsCalls.ts'
import { decodeRevert, revertDataOf } from '../../contracts/revert.ts'
import type { DatabaseWork } from '../../store/database.ts'
import { isFor } from '../../store/isFor.ts'
import type { JobType } from '../../store/states.ts'
import { jobs, merchants, transactions } from '../../store/tables/index.ts'
import type { Service } from '../service.ts'
import { closeJob } from './closeJob.ts'

/** Sends a mint or burn that is due: once, however often it is called. What fails is tried again by its queue. */
export async function sendJob(service: Service, { jobId }: { jobId: string }): Promise<void> {
  const database = await service.database()
  const [found] = await database
    .select()
    .from(jobs)
    .innerJoin(merchants, eq(merchants.merchantId, jobs.merchantId))
    .where(and(eq(jobs.jobId, jobId), eq(jobs.status, 'pending')))
  const chain = found && service.chains.get(found.jobs.blockchain)
  // Of a chain that this service no longer has: its row waits for a service that does.
  if (found === undefined || chain === undefined) return
  const { type: kind, wallet, amount } = found.jobs
  const sent = await attemptsOf(database, { kind, jobId })
  if (sent.some(({ status }) => status !== 'dropped')) return
  const request = calls[kind](chain, {
    creditSeed: found.merchants.creditSeed,
    wallet: checkAddress(wallet, 'wallet'),
    amount,
  })
  try {
    const gas = await chain.client.estimateGas({ account: chain.operator.address, ...request })
    await service.relayer.send({
      chainId: chain.chainId,
      account: chain.operator,
      reference: { kind, jobId, attempt: sent.length + 1 },
      request: { ...request, gas: (gas * 5n) / 4n },
      also: async (work) => {
        if (!(await holdPending(work, jobId))) throw new Error(`Job ${jobId} was closed before it was sent.`)
      },
    })
  } catch (error) {
    const data = revertDataOf(error)
    if (data === undefined) throw error
    const reason = decodeRevert(data).reason.slice(0, 300)
    await database.transaction(async (work) => {
      // It may fail because another process has done it meanwhile: then that one counts.
      await holdPending(work, jobId)
      if ((await attemptsOf(work, { kind, jobId })).some(({ status }) => status !== 'dropped')) return
      await closeJob(work, {
        jobId,
        outcome: { status: 'failed', error: `The ${kind} would fail: ${reason}.` },
        at: new Date(service.now()),
      })
    })
  }
}

/** Holds the row until the database transaction ends: whether it is sent and whether it has failed is decided by one at a time. */
async function holdPending(work: DatabaseWork, jobId: string): Promise<boolean> {
  const [row] = await work
    .select({ status: jobs.status })
    .from(jobs)
    .where(eq(jobs.jobId, jobId))
    .for('update')
  return row?.status === 'pending'
}

const attemptsOf = (work: Pick<DatabaseWork, 'select'>, job: { kind: JobType; jobId: string }) =>
  work.select({ status: transactions.status }).from(transactions).where(isFor(job))

const calls = { mint: mintCall, burn: burnCall } as const
