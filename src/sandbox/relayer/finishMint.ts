import { eq } from 'drizzle-orm'
import type { DatabaseWork, JournalRow } from '../store/database.ts'
import type { JobQueue } from '../store/openJobQueue.ts'
import type { Reference } from '../store/reference.ts'
import { jobs } from '../store/tables/index.ts'

/** Writes down what became of a mint's transaction. */
export async function finishMint(
  work: DatabaseWork,
  options: { row: JournalRow; reference: Extract<Reference, { kind: 'mint' }>; queue: JobQueue },
): Promise<void> {
  const { row, reference, queue } = options
  const { jobId } = reference
  // A dropped one never landed: the job is still pending and is sent again.
  if (row.status === 'dropped') return queue.send(work, 'mint', { jobId }, { singletonKey: jobId })
  await work
    .update(jobs)
    .set(
      row.status === 'mined'
        ? { status: 'completed', value: row.hash }
        : { status: 'failed', error: 'The transaction was reverted.' },
    )
    .where(eq(jobs.jobId, jobId))
}
