import { eq } from 'drizzle-orm'
import { checkAddress } from '../../../evm/values/checkAddress.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { burnCall, mintCall } from '../../contracts/creditsCalls.ts'
import { decodeRevert, revertDataOf } from '../../contracts/revert.ts'
import type { Pauses } from '../../relayer/createPauses.ts'
import type { Database } from '../../store/database.ts'
import { isFor } from '../../store/isFor.ts'
import { jobs, merchants, transactions } from '../../store/tables/index.ts'
import type { Service } from '../service.ts'
import { closeJob } from './closeJob.ts'

/**
 * Sends the mints and burns that are due, once per job.
 *
 * @returns whether a job is still to be sent
 */
export async function sendJobs(service: Service, database: Database, pauses: Pauses): Promise<boolean> {
  const pending = await database
    .select()
    .from(jobs)
    .innerJoin(merchants, eq(merchants.merchantId, jobs.merchantId))
    .where(eq(jobs.status, 'pending'))
  let due = false
  for (const { jobs: job, merchants: merchant } of pending) {
    const chain = service.chains.get(job.blockchain)
    if (chain === undefined) continue
    if (pauses.has(job.jobId)) due = true
    else if (await sendJob(service, { database, pauses, chain, job, creditSeed: merchant.creditSeed }))
      due = true
  }
  return due
}

type Sending = {
  database: Database
  pauses: Pauses
  chain: EvmChain
  job: typeof jobs.$inferSelect
  creditSeed: string
}

/** @returns whether the job is still open: sent just now, or to be tried again */
async function sendJob(service: Service, sending: Sending): Promise<boolean> {
  const { database, pauses, chain, job, creditSeed } = sending
  const { jobId, type: kind } = job
  const sent = await database
    .select({ status: transactions.status })
    .from(transactions)
    .where(isFor({ kind, jobId }))
  if (sent.some(({ status }) => status !== 'dropped')) return false
  const request = calls[kind](chain, {
    creditSeed,
    wallet: checkAddress(job.wallet, 'wallet'),
    amount: job.amount,
  })
  try {
    const gas = await chain.client.estimateGas({ account: chain.operator.address, ...request })
    await service.relayer.send({
      chainId: chain.chainId,
      account: chain.operator,
      reference: { kind, jobId, attempt: sent.length + 1 },
      request: { ...request, gas: (gas * 5n) / 4n },
    })
    pauses.done(jobId)
    return true
  } catch (error) {
    const data = revertDataOf(error)
    if (data === undefined) {
      pauses.failed(jobId)
      service.onError?.(error)
      return true
    }
    const reason = decodeRevert(data).reason.slice(0, 300)
    await database.transaction((work) =>
      closeJob(work, {
        jobId,
        outcome: { status: 'failed', error: `The ${kind} would fail: ${reason}.` },
        at: new Date(service.now()),
      }),
    )
    return false
  }
}

const calls = { mint: mintCall, burn: burnCall } as const
