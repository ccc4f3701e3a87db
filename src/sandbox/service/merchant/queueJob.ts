import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { Context } from 'hono'
import { centsToAmount } from '../../../redeemkit/core/amount/centsToAmount.ts'
import { checkNonZeroAddress } from '../../../redeemkit/evm/checkAddress.ts'
import { type MintResponse, mintBody } from '../../../redeemkit/schema/mint.ts'
import type { JobType } from '../../store/states.ts'
import { jobs } from '../../store/tables/index.ts'
import { evmChain } from '../http/customer.ts'
import { authorizedMerchant } from '../http/merchant.ts'
import { problem } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import type { AppEnv } from '../http/route.ts'
import { isStorableText } from '../http/storableText.ts'
import type { Service } from '../service.ts'

/** Reads the body of a mint or a burn, queues it, and answers with its job. The same idempotency key never does it twice. */
export async function queueJob(
  service: Service,
  context: Context<AppEnv>,
  type: JobType,
): Promise<MintResponse> {
  const body = await readBody(context, mintBody)
  const chain = evmChain(service, body.blockchain, 'blockchain')
  const wallet = checkNonZeroAddress(body.wallet, 'wallet')
  const amount = centsToAmount(body.amount.cents, { field: 'amount.cents' })
  if (amount === 0n)
    throw problem('INVALID_REQUEST', `A ${type} of nothing is not possible.`, { issues: ['amount.cents'] })
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
        type,
        blockchain: chain.blockchain,
        wallet,
        amount,
        idempotencyKey,
        status: 'pending',
        createdAt: new Date(service.now()),
      })
      .onConflictDoNothing()
      .returning()
    if (row !== undefined)
      await queue.send(work, 'credits', { jobId: row.jobId }, { singletonKey: row.jobId })
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
        eq(jobs.type, type),
        eq(jobs.idempotencyKey, idempotencyKey ?? ''),
      ),
    )
  const same = first?.wallet === wallet && first.amount === amount && first.blockchain === chain.blockchain
  if (first === undefined || !same)
    throw problem('AMBIGUOUS_INTENT', `This idempotency key stands for another ${type}. Choose another key.`)
  return { jobId: first.jobId }
}
