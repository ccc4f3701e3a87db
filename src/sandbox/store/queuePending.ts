import { eq } from 'drizzle-orm'
import type { DatabaseWork } from './database.ts'
import type { JobQueue } from './openJobQueue.ts'
import { jobs } from './tables/index.ts'

/** Sends a job for every row that waits for one: of an earlier version, or of a chain that the last service did not have. */
export async function queuePending(work: DatabaseWork, queue: JobQueue): Promise<void> {
  const pending = await work.select({ jobId: jobs.jobId }).from(jobs).where(eq(jobs.status, 'pending'))
  for (const { jobId } of pending) await queue.send(work, 'credits', { jobId }, { singletonKey: jobId })
}
