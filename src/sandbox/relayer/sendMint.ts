import { and, eq } from 'drizzle-orm'
import { checkAddress } from '../../evm/values/checkAddress.ts'
import type { EvmChain } from '../chains/evmChain.ts'
import { mintCall } from '../contracts/creditsCalls.ts'
import { decodeRevert, revertDataOf } from '../contracts/revert.ts'
import type { Database } from '../store/database.ts'
import { isFor } from '../store/isFor.ts'
import { jobs, merchants, transactions } from '../store/tables/index.ts'
import type { Relayer } from './createRelayer.ts'

/** Sends a mint that is due: once, however often it is called. What fails is tried again by its queue. */
export async function sendMint(database: Database, options: sendMint.Options): Promise<void> {
  const { relayer, chains, jobId } = options
  const [found] = await database
    .select()
    .from(jobs)
    .innerJoin(merchants, eq(merchants.merchantId, jobs.merchantId))
    .where(and(eq(jobs.jobId, jobId), eq(jobs.status, 'pending')))
  const chain = found && chains.get(found.jobs.blockchain)
  // Of a chain that this service no longer has: its row waits for a service that does.
  if (found === undefined || chain === undefined) return
  const sent = await database
    .select({ status: transactions.status })
    .from(transactions)
    .where(isFor({ kind: 'mint', jobId }))
  if (sent.some(({ status }) => status !== 'dropped')) return
  const request = mintCall(chain, {
    creditSeed: found.merchants.creditSeed,
    wallet: checkAddress(found.jobs.wallet, 'wallet'),
    amount: found.jobs.amount,
  })
  try {
    const gas = await chain.client.estimateGas({ account: chain.operator.address, ...request })
    await relayer.send({
      chainId: chain.chainId,
      account: chain.operator,
      reference: { kind: 'mint', jobId, attempt: sent.length + 1 },
      request: { ...request, gas: (gas * 5n) / 4n },
    })
  } catch (error) {
    const data = revertDataOf(error)
    if (data === undefined) throw error
    const reason = decodeRevert(data).reason.slice(0, 300)
    await database
      .update(jobs)
      .set({ status: 'failed', error: `The mint would fail: ${reason}.` })
      .where(eq(jobs.jobId, jobId))
  }
}

export declare namespace sendMint {
  type Options = { relayer: Relayer; chains: ReadonlyMap<string, EvmChain>; jobId: string }
}
