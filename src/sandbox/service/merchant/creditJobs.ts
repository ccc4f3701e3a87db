import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { Context } from 'hono'
import type { Hex } from 'viem'
import { amountPerCent, centsToAmount } from '../../../redeemkit/core/amount.ts'
import { showValue } from '../../../redeemkit/core/errors/showValue.ts'
import { checkAddress, checkNonZeroAddress } from '../../../redeemkit/evm/checkAddress.ts'
import { type JobStatus, type MintResponse, mintBody } from '../../../redeemkit/schema/merchantOperations.ts'
import type { EvmChain } from '../../chains/evmChain.ts'
import { supplyCall } from '../../contracts/creditsCalls.ts'
import { decodeRevert, revertDataOf } from '../../contracts/revert.ts'
import { withHeadroom } from '../../relayer/relayerChain.ts'
import type { ContractCall } from '../../simulation/redeemRequest.ts'
import type { Database, DatabaseWork } from '../../store/database.ts'
import { emitEvent } from '../../store/emitEvent.ts'
import type { JobType } from '../../store/states.ts'
import { isFor, jobs, merchants, transactions } from '../../store/tables/index.ts'
import { evmChain } from '../http/customer.ts'
import { authorizedMerchant } from '../http/merchant.ts'
import { invalid, problem } from '../http/problem.ts'
import { readBody } from '../http/readBody.ts'
import { type AppEnv, endpoint } from '../http/route.ts'
import type { Service } from '../service.ts'

/** Queues a mint or burn and returns its job. Each idempotency key is executed only once. */
async function queueJob(service: Service, context: Context<AppEnv>, type: JobType): Promise<MintResponse> {
  const body = await readBody(context, mintBody)
  const chain = evmChain(service, body.blockchain, 'blockchain')
  const wallet = checkNonZeroAddress(body.wallet, 'wallet')
  const amount = centsToAmount(body.amount.cents, { field: 'amount.cents' })
  if (amount === 0n) throw invalid('amount.cents', `The amount to ${type} must be above zero.`)
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
    if (row !== undefined) await queue.send(work, row.jobId)
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
    throw problem(
      'AMBIGUOUS_INTENT',
      `This idempotency key was used for a different ${type}. Choose another key.`,
    )
  return { jobId: first.jobId }
}

export const mint = endpoint('mintCredits', (service, context) => queueJob(service, context, 'mint'))

/** `POST /api/merchant/credits/burn` (PROTOCOL.md 2.7). The contract pays the backing USDC to the wallet whose credits are burned. */
export const burn = endpoint('burnCredits', (service, context) => queueJob(service, context, 'burn'))

export const jobStatus = endpoint('getJobStatus', async (service, context): Promise<JobStatus> => {
  const { merchantId } = await authorizedMerchant(service, context)
  const jobId = context.req.param('jobId') ?? ''
  const database = await service.database()
  const [job] = await database
    .select()
    .from(jobs)
    .where(and(eq(jobs.jobId, jobId), eq(jobs.merchantId, merchantId)))
  if (job === undefined) throw problem('NOT_FOUND', `This merchant has no job ${showValue(jobId)}.`)
  if (job.status === 'completed') return { status: 'completed', value: job.value }
  if (job.status === 'failed') return { status: 'failed', error: job.error ?? 'The job failed.' }
  return { status: 'pending' }
})

export async function closeJob(
  work: DatabaseWork,
  options: {
    jobId: string
    outcome: { status: 'completed'; value: string } | { status: 'failed'; error: string }
    at: Date
  },
): Promise<void> {
  const { jobId, outcome, at } = options
  const [job] = await work
    .update(jobs)
    .set(outcome)
    .where(and(eq(jobs.jobId, jobId), eq(jobs.status, 'pending')))
    .returning()
  if (job === undefined) return
  const { merchantId, type, wallet, blockchain, amount } = job
  await emitEvent(work, {
    merchantId,
    type: outcome.status === 'failed' ? 'credits.failed' : doneEvents[type],
    at,
    data: {
      jobId,
      wallet,
      blockchain,
      amount: { cents: Number(amount / amountPerCent) },
      ...(outcome.status === 'failed' ? { error: outcome.error } : { hash: outcome.value }),
    },
  })
}

const doneEvents = { mint: 'credits.minted', burn: 'credits.burned' } as const

/** Sends the transaction of a due mint or burn at most once. The queue retries failures. */
export async function sendJob(service: Service, jobId: string): Promise<void> {
  const database = await service.database()
  const [found] = await database
    .select()
    .from(jobs)
    .innerJoin(merchants, eq(merchants.merchantId, jobs.merchantId))
    .where(and(eq(jobs.jobId, jobId), eq(jobs.status, 'pending')))
  const chain = found && service.chains.get(found.jobs.blockchain)
  // This service no longer has the chain. The row stays pending for a service that has it.
  if (found === undefined || chain === undefined) return
  const { type: kind, wallet, amount } = found.jobs
  await sendOnce(service, {
    database,
    chain,
    reference: { kind, jobId },
    request: supplyCall(chain, kind, {
      creditSeed: found.merchants.creditSeed,
      wallet: checkAddress(wallet, 'wallet'),
      amount,
    }),
    holdPending: async (work) => {
      const pending = work.select({ status: jobs.status }).from(jobs).where(eq(jobs.jobId, jobId))
      return (await pending.for('update'))[0]?.status === 'pending'
    },
    fail: (work, reason) =>
      closeJob(work, {
        jobId,
        outcome: { status: 'failed', error: `The ${kind} would fail: ${reason}.` },
        at: new Date(service.now()),
      }),
  })
}

/** Does nothing if the transaction is already being sent. Returns its hash; undefined if the call would revert and the row failed. */
export async function sendOnce(
  service: Service,
  options: {
    database: Database
    chain: EvmChain
    reference: { kind: 'mint' | 'burn'; jobId: string } | { kind: 'withdrawal'; withdrawalId: string }
    request: ContractCall
    /** Locks the row until the database transaction ends, so only one process sends or fails it. Returns false if it is closed. */
    holdPending: (work: DatabaseWork) => Promise<boolean>
    fail: (work: DatabaseWork, reason: string) => Promise<void>
  },
): Promise<Hex | undefined> {
  const { database, chain, reference, request, holdPending, fail } = options
  const attemptsOf = (work: Pick<DatabaseWork, 'select'>) =>
    work
      .select({ status: transactions.status, hash: transactions.hash })
      .from(transactions)
      .where(isFor(reference))
  const sent = await attemptsOf(database)
  const underWay = sent.find(({ status }) => status !== 'dropped')
  if (underWay !== undefined) return underWay.hash
  try {
    const gas = await chain.client.estimateGas({ account: chain.operator.address, ...request })
    const { hash } = await service.relayer.send({
      chainId: chain.chainId,
      account: chain.operator,
      reference: { ...reference, attempt: sent.length + 1 },
      request: { ...request, gas: withHeadroom(gas) },
      also: async (work) => {
        if (!(await holdPending(work)))
          throw new Error(`The ${reference.kind} was closed before it could be sent.`)
      },
    })
    return hash
  } catch (error) {
    const data = revertDataOf(error)
    if (data === undefined) throw error
    return database.transaction(async (work) => {
      // Another process may have sent the transaction and so caused this failure. If so, returns that transaction's hash.
      await holdPending(work)
      const other = (await attemptsOf(work)).find(({ status }) => status !== 'dropped')
      if (other === undefined) await fail(work, decodeRevert(data).reason.slice(0, 300))
      return other?.hash
    })
  }
}
