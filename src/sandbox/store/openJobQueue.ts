import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { readForeign } from '../../redeemkit/core/errors/safeCause.ts'
import type { Database, DatabaseWork } from './database.ts'

/** Data of the jobs by name. A job only names a row; the row has the work. */
type JobData = {
  /** A row of `jobs`: a mint or burn. */
  credits: { jobId: string }
}
type JobName = keyof JobData

const jobNames = ['credits'] as const satisfies readonly JobName[]

export const jobSchema = 'redeemkit_jobs'

/** The tables of pg-boss and one queue per name. As migrations, they run under the same lock and are part of the template database. */
export async function jobMigrations(): Promise<readonly { name: string; statements: readonly string[] }[]> {
  const { default: PgBoss } = await import('pg-boss')
  return [
    { name: 'pg-boss 24', statements: statementsOf(PgBoss.getConstructionPlans(jobSchema)) },
    ...jobNames.map((name) => ({
      name: `queue ${name}`,
      // `short`: at most one queued job per key.
      statements: [`select ${jobSchema}.create_queue('${name}', '{"policy":"short"}')`],
    })),
  ]
}

/** The statements of a plan without its own transaction; PGlite runs one at a time. */
function statementsOf(plan: string): string[] {
  // Text between two `$$` is a function's body.
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

/** Gives pg-boss access through the database's session, also inside a transaction. */
export function sqlOf({ _: { session } }: Pick<Database, '_'>) {
  return {
    executeSql: async (text: string, values: unknown[] = []): Promise<{ rows: unknown[] }> => {
      const query = session.prepareQuery({ sql: text, params: values }, undefined, undefined, false)
      // The driver's own result; both drivers have `rows`.
      return (await query.execute()) as { rows: unknown[] }
    },
  }
}

/**
 * A job queue in the database, on pg-boss: each job is taken by one process, and retried after a failure or crash. Times are
 * the database's; work that depends on the service's clock compares it with a column of the row.
 *
 * Only pg-boss's statements are used. Its workers would end the process when the database connection is lost, keep the process
 * alive with timers, and poll at most twice a second; here the relayer's pass takes due jobs.
 *
 * @param options.isShared whether other processes may work on the same jobs
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
  // A folder has one process, so earlier workers are gone.
  if (!options.isShared) await takeBack(database, sql`true`)
  let lookedAt = 0
  const open = new Map<JobName, number>()

  return { send, runDue, close: () => boss.stop({ graceful: false, close: false }) }

  async function send<name extends JobName>(
    work: DatabaseWork,
    name: name,
    data: JobData[name],
    { startAfter, retryLimit = endless, singletonKey = randomUUID() }: JobQueue.SendOptions = {},
  ): Promise<void> {
    await boss.send(name, data, {
      db: sqlOf(work),
      retryLimit,
      retryDelay: retryDelaySeconds,
      expireInSeconds,
      // Without keys, the queue treats all jobs as one.
      singletonKey,
      ...(startAfter !== undefined && { startAfter }),
    })
    // The number of open jobs must be read again.
    open.delete(name)
  }

  async function runDue({ handlers, onError }: JobQueue.RunOptions): Promise<boolean> {
    if (performance.now() - lookedAt > 5_000) {
      lookedAt = performance.now()
      await takeBack(database, sql`started_on + expire_in < now()`)
    }
    for (const name of jobNames) await runQueue(name, { handlers, onError })
    return [...open.values()].some((count) => count > 0)
  }

  async function runQueue<name extends JobName>(
    name: name,
    { handlers, onError }: JobQueue.RunOptions,
  ): Promise<void> {
    let isChanged = open.get(name) !== 0
    for (;;) {
      const taken = await boss.fetch<JobData[name]>(name, { batchSize: 20 })
      if (taken.length === 0) break
      isChanged = true
      for (const { id, data } of taken) {
        try {
          await handlers[name](data)
        } catch (error) {
          onError?.(error)
          // Stored in the database, so without foreign messages.
          const { name: kind = 'Error', code } = readForeign(error) ?? {}
          await boss.fail(name, id, { kind, code })
          continue
        }
        await boss.deleteJob(name, id)
      }
    }
    if (isChanged) open.set(name, (await boss.getQueueSize(name, { before: 'completed' })) ?? 0)
  }
}

export type JobQueue = {
  /** Queues a job in the database transaction of its cause. */
  send: <name extends JobName>(
    work: DatabaseWork,
    name: name,
    data: JobData[name],
    options?: JobQueue.SendOptions,
  ) => Promise<void>
  /**
   * Runs every due job.
   *
   * @returns whether jobs remain: to retry, for later, or running in another process
   */
  runDue: (options: JobQueue.RunOptions) => Promise<boolean>
  close: () => Promise<void>
}

export declare namespace JobQueue {
  type SendOptions = {
    /** By the database's clock. Default: now. */
    startAfter?: Date | undefined
    /** Number of retries. Default: until it succeeds. */
    retryLimit?: number | undefined
    /** At most one queued job per key. */
    singletonKey?: string | undefined
  }
  type RunOptions = {
    /** May run twice for a job, even in two processes, so handlers check the row. */
    handlers: { readonly [name in JobName]: (data: JobData[name]) => Promise<void> }
    onError: ((error: unknown) => void) | undefined
  }
}

const endless = 2 ** 31 - 1
const retryDelaySeconds = 2
/** After this time, the job's process counts as killed. */
const expireInSeconds = 30

function takeBack(database: Database, which: ReturnType<typeof sql>): Promise<unknown> {
  return database.execute(
    sql`update ${sql.identifier(jobSchema)}.job set state = 'retry' where state = 'active' and ${which}`,
  )
}
