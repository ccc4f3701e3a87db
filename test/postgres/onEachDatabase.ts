import { describe, inject, test } from 'vitest'
import { createDatabase } from './startPostgres.ts'

/** The options of `openStore`, `createSandbox` and `startSandbox` that select the database. */
export type DatabaseOptions = { dataDir?: string; databaseUrl?: string }

export type TestDatabase = {
  name: 'PGlite' | 'PostgreSQL'
  /** Returns the options of a new database. PGlite stores it in `folder`, or in memory. */
  create: (folder?: string) => Promise<DatabaseOptions>
}

/** Runs the same tests on PGlite and on PostgreSQL. */
export function onEachDatabase(tests: (database: TestDatabase) => void): void {
  describe('on PGlite', () =>
    tests({
      name: 'PGlite',
      create: async (folder) => (folder === undefined ? {} : { dataDir: folder }),
    }))
  onPostgres(tests)
}

/** Runs tests only on PostgreSQL. */
export function onPostgres(tests: (database: TestDatabase) => void): void {
  const server = inject('postgres')
  describe('on PostgreSQL', () => {
    if ('missing' in server) test('the same', (context) => context.skip(server.missing))
    else
      tests({
        name: 'PostgreSQL',
        create: async () => ({ databaseUrl: await createDatabase(server.url) }),
      })
  })
}
