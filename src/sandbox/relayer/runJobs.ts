import { eq, like } from 'drizzle-orm'
import { encodeFunctionData } from 'viem'
import { creditsAbi } from '../../../contracts/generated/Credits.ts'
import { checkAddress } from '../../evm/values/checkAddress.ts'
import { decodeRevert, revertDataOf } from '../service/redeem/revert.ts'
import type { EvmChain } from '../service/service.ts'
import type { Database } from '../store/database.ts'
import { jobs, merchants, transactions } from '../store/tables.ts'
import type { Pauses } from './createPauses.ts'
import type { Relayer } from './createRelayer.ts'
import type { DatabaseWork, JournalRow } from './journalTransaction.ts'

/**
 * Sends the mints that are due, once per job.
 *
 * @returns whether a job is still to be sent
 */
export async function runJobs(
  database: Database,
  options: {
    relayer: Relayer
    pauses: Pauses
    chains: ReadonlyMap<string, EvmChain>
    onError: ((error: unknown) => void) | undefined
  },
): Promise<boolean> {
  const { relayer, pauses, chains, onError } = options
  const pending = await database
    .select()
    .from(jobs)
    .innerJoin(merchants, eq(merchants.merchantId, jobs.merchantId))
    .where(eq(jobs.status, 'pending'))
  let due = false
  for (const { jobs: job, merchants: merchant } of pending) {
    const chain = chains.get(job.blockchain)
    if (chain === undefined) continue
    if (pauses.has(job.jobId)) {
      due = true
      continue
    }
    const prefix = `${job.type}/${job.jobId}/`
    const sent = await database
      .select()
      .from(transactions)
      .where(like(transactions.reference, `${prefix}%`))
    if (sent.some(({ status }) => status !== 'dropped')) continue
    const request = {
      to: chain.creditsContract,
      data: encodeFunctionData({
        abi: creditsAbi,
        functionName: 'mint',
        args: [merchant.creditSeed, checkAddress(job.wallet, 'wallet'), job.amount],
      }),
    }
    try {
      const gas = await chain.client.estimateGas({ account: chain.operator.address, ...request })
      due = true
      await relayer.send({
        chainId: chain.chainId,
        account: chain.operator,
        reference: `${prefix}${sent.length + 1}`,
        request: { ...request, gas: (gas * 5n) / 4n },
      })
      pauses.done(job.jobId)
    } catch (error) {
      const data = revertDataOf(error)
      if (data === undefined) {
        due = true
        pauses.failed(job.jobId)
        onError?.(error)
        continue
      }
      const reason = decodeRevert(data).reason.slice(0, 300)
      await database
        .update(jobs)
        .set({ status: 'failed', error: `The mint would fail: ${reason}.` })
        .where(eq(jobs.jobId, job.jobId))
    }
  }
  return due
}

/** Writes down what became of a job's transaction. */
export async function finishJob(work: DatabaseWork, row: JournalRow): Promise<void> {
  const [, jobId = ''] = row.reference.split('/')
  // A dropped one never landed: the job is still pending and is sent again.
  if (row.status === 'dropped') return
  await work
    .update(jobs)
    .set(
      row.status === 'mined'
        ? { status: 'completed', value: row.hash }
        : { status: 'failed', error: 'The transaction was reverted.' },
    )
    .where(eq(jobs.jobId, jobId))
}
