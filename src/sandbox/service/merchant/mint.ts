import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { centsToAmount } from '../../../core/amount/centsToAmount.ts'
import { checkNonZeroAddress } from '../../../evm/values/checkAddress.ts'
import type { JobStatus } from '../../../schema/jobStatus.ts'
import { type MintResponse, mintBody } from '../../../schema/mint.ts'
import { jobs } from '../../store/tables/index.ts'
import { evmChain } from '../http/customer.ts'
import { authorizedMerchant } from '../http/merchant.ts'
import { problem } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import type { Route } from '../http/route.ts'
import { isStorableText } from '../http/storableText.ts'

/** `POST /api/merchant/credits/mint`: queues the mint and answers with its job. The same idempotency key never mints twice. */
export const mint: Route = {
  method: 'POST',
  path: '/api/merchant/credits/mint',
  handle: async (service, context): Promise<MintResponse> => {
    const body = await readBody(context, mintBody)
    const chain = evmChain(service, body.blockchain, 'blockchain')
    const wallet = checkNonZeroAddress(body.wallet, 'wallet')
    const amount = centsToAmount(body.amount.cents, { field: 'amount.cents' })
    if (amount === 0n)
      throw problem('INVALID_REQUEST', 'A mint of nothing is not possible.', { issues: ['amount.cents'] })
    if (body.idempotencyKey !== undefined && !isStorableText(body.idempotencyKey))
      throw problem('INVALID_REQUEST', 'The idempotency key is not well-formed text.', {
        issues: ['idempotencyKey'],
      })
    const { merchantId } = await authorizedMerchant(service, context)
    const database = await service.database()
    const idempotencyKey = body.idempotencyKey ?? null
    const queue = await service.queue()
    const job = await database.transaction(async (work) => {
      const [row] = await work
        .insert(jobs)
        .values({
          jobId: randomUUID(),
          merchantId,
          type: 'mint',
          blockchain: chain.blockchain,
          wallet,
          amount,
          idempotencyKey,
          status: 'pending',
          createdAt: new Date(service.now()),
        })
        .onConflictDoNothing()
        .returning()
      if (row !== undefined) await queue.send(work, 'mint', { jobId: row.jobId }, { singletonKey: row.jobId })
      return row
    })
    if (job !== undefined) {
      service.relayer.wake()
      return { jobId: job.jobId }
    }
    const [first] = await database
      .select()
      .from(jobs)
      .where(
        and(
          eq(jobs.merchantId, merchantId),
          eq(jobs.type, 'mint'),
          eq(jobs.idempotencyKey, idempotencyKey ?? ''),
        ),
      )
    const same = first?.wallet === wallet && first.amount === amount && first.blockchain === chain.blockchain
    if (first === undefined || !same)
      throw problem('AMBIGUOUS_INTENT', 'This idempotency key stands for another mint. Choose another key.')
    return { jobId: first.jobId }
  },
}

/** `GET /api/merchant/credits/status/{jobId}` (PROTOCOL.md 2.7). */
export const jobStatus: Route = {
  method: 'GET',
  path: '/api/merchant/credits/status/:jobId',
  handle: async (service, context): Promise<JobStatus> => {
    const { merchantId } = await authorizedMerchant(service, context)
    const jobId = context.req.param('jobId') ?? ''
    if (!isStorableText(jobId)) throw problem('NOT_FOUND', 'There is no such job.')
    const database = await service.database()
    const [job] = await database
      .select()
      .from(jobs)
      .where(and(eq(jobs.jobId, jobId), eq(jobs.merchantId, merchantId)))
    if (job === undefined) throw problem('NOT_FOUND', 'There is no such job.')
    if (job.status === 'completed') return { status: 'completed', value: job.value }
    if (job.status === 'failed') return { status: 'failed', error: job.error ?? 'The job failed.' }
    return { status: 'pending' }
  },
}
