import type { TestProject } from 'vitest/node'
import { postgresPrograms, startPostgres } from './startPostgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The run's PostgreSQL server, or why there is none. */
    postgres: { url: string } | { missing: string }
  }
}

/** One PostgreSQL server for a whole run of the tests. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const programs = postgresPrograms()
  if (programs === undefined) {
    project.provide('postgres', { missing: 'PostgreSQL is not installed: apt-get install postgresql' })
    return undefined
  }
  const { url, stop } = await startPostgres(programs)
  project.provide('postgres', { url })
  return stop
}
