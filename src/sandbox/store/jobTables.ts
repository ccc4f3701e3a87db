import type { Database } from './database.ts'

/** What a job of each name is told. A job says that a row is to be looked at; the row says what is to be done. */
export type JobData = {
  /** A row of `jobs`: credits to be minted or burned. */
  credits: { jobId: string }
}
export type JobName = keyof JobData

export const jobNames = ['credits'] as const satisfies readonly JobName[]

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
