import { and, eq } from 'drizzle-orm'
import { checkAddress } from '../../../evm/values/checkAddress.ts'
import { burnCall, mintCall } from '../../contracts/creditsCalls.ts'
import { decodeRevert, revertDataOf } from '../../contracts/revert.ts'
import { isFor } from '../../store/isFor.ts'
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
  const sent = await database
    .select({ status: transactions.status })
    .from(transactions)
    .where(isFor({ kind, jobId }))
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
    })
  } catch (error) {
    const data = revertDataOf(error)
    if (data === undefined) throw error
    const reason = decodeRevert(data).reason.slice(0, 300)
    await database.transaction((work) =>
      closeJob(work, {
        jobId,
        outcome: { status: 'failed', error: `The ${kind} would fail: ${reason}.` },
        at: new Date(service.now()),
      }),
    )
  }
}

const calls = { mint: mintCall, burn: burnCall } as const
