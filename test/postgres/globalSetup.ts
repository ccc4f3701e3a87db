import type { TestProject } from 'vitest/node'
import { findPostgres, startPostgres } from './startPostgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { url: string } | { missing: string }
  }
}

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const found = findPostgres()
  if ('missing' in found) {
    if (process.env.REQUIRE_PROGRAMS !== undefined) throw new Error(found.missing)
    project.provide('postgres', found)
    return undefined
  }
  const { url, stop } = await startPostgres(found)
  project.provide('postgres', { url })
  return stop
}
