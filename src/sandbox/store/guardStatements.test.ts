import { expect, test } from 'vitest'
import type { Database } from './database.ts'
import { guardStatements } from './guardStatements.ts'

/** Runs a statement on a database that fails with this error. */
async function failing(error: Error): Promise<unknown> {
  const session = {
    prepareQuery: () => ({
      execute: async () => {
        throw error
      },
    }),
  }
  // Only the session is used.
  guardStatements({ _: { session } } as unknown as Database)
  return session
    .prepareQuery()
    .execute()
    .catch((caught: unknown) => caught)
}

test.each([
  ['08006', 'DatabaseUnavailableError', 'The database is unavailable (08006).'],
  ['57P01', 'DatabaseUnavailableError', 'The database is unavailable (57P01).'],
  // A full disk.
  ['53100', 'DatabaseUnavailableError', 'The database is unavailable (53100).'],
  ['53300', 'DatabaseUnavailableError', 'The database is unavailable (53300).'],
  ['23505', 'DatabaseStatementError', 'The database refused a statement (23505).'],
])('PostgreSQL state %s is a %s', async (code, name, shortMessage) => {
  const error = Object.assign(new Error('with parameters'), { code })
  expect(await failing(error)).toMatchObject({ name, shortMessage })
})
