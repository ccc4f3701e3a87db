import { describe, inject, test } from 'vitest'
import { createDatabase } from './startPostgres.ts'

export type DatabaseOptions = { dataDir?: string; databaseUrl?: string }

export type TestDatabase = {
  name: 'PGlite' | 'PostgreSQL'
  /** PGlite stores the database in `folder`, or in memory. */
  create: (folder?: string) => Promise<DatabaseOptions>
}

export function onEachDatabase(tests: (database: TestDatabase) => void): void {
  describe('on PGlite', () =>
    tests({
      name: 'PGlite',
      create: async (folder) => (folder === undefined ? {} : { dataDir: folder }),
    }))
  onPostgres(tests)
}

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
