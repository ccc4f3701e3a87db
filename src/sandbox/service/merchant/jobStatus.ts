import { and, eq } from 'drizzle-orm'
import type { JobStatus } from '../../../redeemkit/schema/merchantOperations.ts'
import { jobs } from '../../store/tables/index.ts'
import { authorizedMerchant } from '../http/merchant.ts'
import { problem } from '../http/problem.ts'
import type { Route } from '../http/route.ts'
import { isStorableText } from '../http/storableText.ts'

/** `GET /api/merchant/credits/status/{jobId}` (PROTOCOL.md 2.7): of a mint or a burn. */
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
