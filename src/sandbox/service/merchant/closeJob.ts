import { and, eq } from 'drizzle-orm'
import { amountPerCent } from '../../../redeemkit/core/amount/centsToAmount.ts'
import type { DatabaseWork } from '../../store/database.ts'
import { emitEvent } from '../../store/emitEvent.ts'
import { jobs } from '../../store/tables/index.ts'

/** Writes down what became of a pending job and tells its merchant: `credits.minted`, `credits.burned` or `credits.failed`. */
export async function closeJob(work: DatabaseWork, options: closeJob.Options): Promise<void> {
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

export declare namespace closeJob {
  type Options = {
    jobId: string
    outcome: { status: 'completed'; value: string } | { status: 'failed'; error: string }
    /** By the service's clock. */
    at: Date
  }
}

const doneEvents = { mint: 'credits.minted', burn: 'credits.burned' } as const
