import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { readForeign } from '../../redeemkit/core/errors/safeCause.ts'
import type { Database, DatabaseWork } from './database.ts'

/** What a job of each name is told. A job says that a row is to be looked at; the row says what is to be done. */
type JobData = {
  /** A row of `jobs`: credits to be minted or burned. */
  credits: { jobId: string }
}
type JobName = keyof JobData

const jobNames = ['credits'] as const satisfies readonly JobName[]

export const jobSchema = 'redeemkit_jobs'

/**
 * The tables of pg-boss, and a queue for each name, as migrations of ours: made under the same lock, and part of the
 * template that new databases are copied from.
 */
export async function jobMigrations(): Promise<readonly { name: string; statements: readonly string[] }[]> {
  const { default: PgBoss } = await import('pg-boss')
  return [
    { name: 'pg-boss 24', statements: statementsOf(PgBoss.getConstructionPlans(jobSchema)) },
    ...jobNames.map((name) => ({
      name: `queue ${name}`,
      // `short`: one of each key waits at a time.
      statements: [`select ${jobSchema}.create_queue('${name}', '{"policy":"short"}')`],
    })),
  ]
}

/** A plan's statements, without its own transaction. PGlite takes one at a time. */
function statementsOf(plan: string): string[] {
  // What stands between two `$$` is the body of a function.
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

/** How pg-boss reaches a database of ours: through its session, inside a transaction too. */
export function sqlOf({ _: { session } }: Pick<Database, '_'>) {
  return {
    executeSql: async (text: string, values: unknown[] = []): Promise<{ rows: unknown[] }> => {
      const query = session.prepareQuery({ sql: text, params: values }, undefined, undefined, false)
      // The driver's own answer: both have the rows under this name.
      return (await query.execute()) as { rows: unknown[] }
    },
  }
}

/**
 * Work for later, kept in the database by pg-boss: each job is taken by one process, and tried again when it failed or its
 * process was killed. Times are the database's own; what has to follow the service's clock is a column of the row, which is
 * compared with that clock when the job looks at it.
 *
 * Only pg-boss's statements are used. Its own workers would end the process when the database is lost at the end of a job,
 * keep it alive by their timers, and look no oftener than twice a second; here the relayer's pass takes what is due.
 *
 * @param options.isShared whether other processes may be at work on the same jobs
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
  // Whoever was at work in a folder of one process is gone.
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
      // Without a key, all of them would count as one.
      singletonKey,
      ...(startAfter !== undefined && { startAfter }),
    })
    // How many are open is to be looked up again.
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
          // Kept in the database: no words of others.
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
  /** Sends a job in the database transaction of what it is about: neither is there without the other. */
  send: <name extends JobName>(
    work: DatabaseWork,
    name: name,
    data: JobData[name],
    options?: JobQueue.SendOptions,
  ) => Promise<void>
  /** Runs every job that is due. @returns whether some stay: to be tried again, for later, or at work in another process */
  runDue: (options: JobQueue.RunOptions) => Promise<boolean>
  close: () => Promise<void>
}

export declare namespace JobQueue {
  type SendOptions = {
    /** By the clock of the database. Default: at once. */
    startAfter?: Date | undefined
    /** How often it is tried again. Default: until it succeeds. */
    retryLimit?: number | undefined
    /** Of those that wait with the same key there is one. */
    singletonKey?: string | undefined
  }
  type RunOptions = {
    /** May be called twice for one job, by two processes even: they look at the row. */
    handlers: { readonly [name in JobName]: (data: JobData[name]) => Promise<void> }
    onError: ((error: unknown) => void) | undefined
  }
}

const endless = 2 ** 31 - 1
const retryDelaySeconds = 2
/** After this time a job counts as one whose process was killed. */
const expireInSeconds = 30

function takeBack(database: Database, which: ReturnType<typeof sql>): Promise<unknown> {
  return database.execute(
    sql`update ${sql.identifier(jobSchema)}.job set state = 'retry' where state = 'active' and ${which}`,
  )
}
