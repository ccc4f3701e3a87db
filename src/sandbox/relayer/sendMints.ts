import { eq } from 'drizzle-orm'
import { checkAddress } from '../../evm/values/checkAddress.ts'
import type { EvmChain } from '../chains/evmChain.ts'
import { mintCall } from '../contracts/creditsCalls.ts'
import { decodeRevert, revertDataOf } from '../contracts/revert.ts'
import type { Database } from '../store/database.ts'
import { isFor } from '../store/isFor.ts'
import { jobs, merchants, transactions } from '../store/tables/index.ts'
import type { Pauses } from './createPauses.ts'
import type { Relayer } from './createRelayer.ts'

/**
 * Sends the mints that are due, once per job.
 *
 * @returns whether a job is still to be sent
 */
export async function sendMints(database: Database, options: sendMints.Options): Promise<boolean> {
  const pending = await database
    .select()
    .from(jobs)
    .innerJoin(merchants, eq(merchants.merchantId, jobs.merchantId))
    .where(eq(jobs.status, 'pending'))
  let due = false
  for (const { jobs: job, merchants: merchant } of pending) {
    const chain = options.chains.get(job.blockchain)
    if (chain === undefined) continue
    if (options.pauses.has(job.jobId)) due = true
    else if (await sendMint(database, { ...options, chain, job, creditSeed: merchant.creditSeed })) due = true
  }
  return due
}

export declare namespace sendMints {
  type Options = {
    relayer: Relayer
    pauses: Pauses
    chains: ReadonlyMap<string, EvmChain>
    onError: ((error: unknown) => void) | undefined
  }
}

type Mint = sendMints.Options & { chain: EvmChain; job: typeof jobs.$inferSelect; creditSeed: string }

/** @returns whether the job is still open: sent just now, or to be tried again */
async function sendMint(database: Database, mint: Mint): Promise<boolean> {
  const { relayer, pauses, onError, chain, job, creditSeed } = mint
  const { jobId } = job
  const sent = await database
    .select({ status: transactions.status })
    .from(transactions)
    .where(isFor({ kind: 'mint', jobId }))
  if (sent.some(({ status }) => status !== 'dropped')) return false
  const request = mintCall(chain, {
    creditSeed,
    wallet: checkAddress(job.wallet, 'wallet'),
    amount: job.amount,
  })
  try {
    const gas = await chain.client.estimateGas({ account: chain.operator.address, ...request })
    await relayer.send({
      chainId: chain.chainId,
      account: chain.operator,
      reference: { kind: 'mint', jobId, attempt: sent.length + 1 },
      request: { ...request, gas: (gas * 5n) / 4n },
    })
    pauses.done(jobId)
    return true
  } catch (error) {
    const data = revertDataOf(error)
    if (data === undefined) {
      pauses.failed(jobId)
      onError?.(error)
      return true
    }
    const reason = decodeRevert(data).reason.slice(0, 300)
    await database
      .update(jobs)
      .set({ status: 'failed', error: `The mint would fail: ${reason}.` })
      .where(eq(jobs.jobId, jobId))
    return false
  }
}
