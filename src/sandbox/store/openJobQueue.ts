import { sql } from 'drizzle-orm'
import { readForeign } from '../../redeemkit/core/errors/safeCause.ts'
import type { Database, DatabaseWork } from './database.ts'

/** The only queue. Each job names the row in `jobs` of a mint or burn. */
const queueName = 'credits'

export const jobSchema = 'redeemkit_jobs'

/** Migrations for pg-boss's tables and the queue. They run under the migrations' lock and are part of the template database. */
export async function jobMigrations(): Promise<readonly { name: string; statements: readonly string[] }[]> {
  const { default: PgBoss } = await import('pg-boss')
  return [
    { name: 'pg-boss 24', statements: statementsOf(PgBoss.getConstructionPlans(jobSchema)) },
    {
      name: `queue ${queueName}`,
      // The policy `short` allows at most one queued job per key.
      statements: [`select ${jobSchema}.create_queue('${queueName}', '{"policy":"short"}')`],
    },
  ]
}

/** Splits a plan into statements, because PGlite runs one at a time. Omits the plan's own transaction. */
function statementsOf(plan: string): string[] {
  // The text between two `$$` is the body of a function.
  const [first = '', ...others] = plan.split('$$')
  let statements = first.split(';')
  for (const [at, part] of others.entries()) {
    const [head = '', ...tail] = at % 2 === 0 ? [part] : part.split(';')
    statements = [...statements.slice(0, -1), `${statements.at(-1)}$$${head}`, ...tail]
  }
  return statements
    .map((statement) => statement.trim())
    .filter((statement) => !/^(?:begin|commit|set local .*|)$/i.test(statement))
}

/** Lets pg-boss run statements in a database's session, including those inside a transaction. */
export function sqlOf({ _: { session } }: Pick<Database, '_'>) {
  return {
    executeSql: async (text: string, values: unknown[] = []): Promise<{ rows: unknown[] }> => {
      const query = session.prepareQuery({ sql: text, params: values }, undefined, undefined, false)
      // The driver's own result, which has `rows` in both drivers.
      return (await query.execute()) as { rows: unknown[] }
    },
  }
}

/**
 * One process takes each job, and a job is retried after a failure or crash. Times are by the database's clock; work that depends on the
 * service's clock compares it with a column of the row. Only pg-boss's statements are used: its workers would end the process after a
 * lost connection, keep it alive with timers, and poll at most twice per second.
 */
export async function openJobQueue(database: Database, options: { isShared: boolean }): Promise<JobQueue> {
  const { default: PgBoss } = await import('pg-boss')
  const boss = new PgBoss({
    db: sqlOf(database),
    schema: jobSchema,
    migrate: false,
    supervise: false,
    schedule: false,
  })
  await boss.start()
  // Only one process uses a folder, so the processes that took these jobs have ended.
  if (!options.isShared) await takeBack(database, sql`true`)
  let lookedAt = 0
  /** The number of open jobs; undefined if it must be read from the database. */
  let open: number | undefined

  return { send, runDue, close: () => boss.stop({ graceful: false, close: false }) }

  async function send(work: DatabaseWork, jobId: string): Promise<void> {
    await boss.send(
      queueName,
      { jobId },
      {
        db: sqlOf(work),
        retryLimit: endless,
        retryDelay: retryDelaySeconds,
        expireInSeconds,
        singletonKey: jobId,
      },
    )
    open = undefined
  }

  async function runDue({ handle, onError }: JobQueue.RunOptions): Promise<boolean> {
    if (performance.now() - lookedAt > 5_000) {
      lookedAt = performance.now()
      await takeBack(database, sql`started_on + expire_in < now()`)
    }
    let isChanged = open !== 0
    for (;;) {
      const taken = await boss.fetch<{ jobId: string }>(queueName, { batchSize: 20 })
      if (taken.length === 0) break
      isChanged = true
      for (const { id, data } of taken) {
        try {
          await handle(data.jobId)
        } catch (error) {
          onError?.(error)
          // The database stores this text. Messages of libraries are omitted, because they may contain secrets.
          const { name: kind = 'Error', code } = readForeign(error) ?? {}
          await boss.fail(queueName, id, { kind, code })
          continue
        }
        await boss.deleteJob(queueName, id)
      }
    }
    if (isChanged) open = (await boss.getQueueSize(queueName, { before: 'completed' })) ?? 0
    return open !== undefined && open > 0
  }
}

export type JobQueue = {
  /** Queues the job of a row in `jobs`, in the transaction that wrote the row. Does nothing if the job is already queued. */
  send: (work: DatabaseWork, jobId: string) => Promise<void>
  /** Returns whether jobs remain, either to retry or running in another process. */
  runDue: (options: JobQueue.RunOptions) => Promise<boolean>
  close: () => Promise<void>
}

export declare namespace JobQueue {
  type RunOptions = {
    /** Runs a job. It must check the row, because one job may run twice, even in two processes at the same time. */
    handle: (jobId: string) => Promise<void>
    onError: ((error: unknown) => void) | undefined
  }
}

const endless = 2 ** 31 - 1
const retryDelaySeconds = 2
/** Seconds after which the process that took a job counts as killed. */
const expireInSeconds = 30

function takeBack(database: Database, which: ReturnType<typeof sql>): Promise<unknown> {
  return database.execute(
    sql`update ${sql.identifier(jobSchema)}.job set state = 'retry' where state = 'active' and ${which}`,
  )
}
