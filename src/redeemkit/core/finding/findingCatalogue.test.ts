import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { inspectionKinds } from './finding.ts'
import { findingCatalogue } from './findingCatalogue.ts'

const sourceRoot = fileURLToPath(new URL('../../..', import.meta.url))

/** The text of all source files that could create a finding. */
const sources = readdirSync(sourceRoot, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /(?<!\.(?:test|fixture))\.ts$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name))
  .filter((file) => !file.includes('/core/finding/'))
  .map((file) => readFileSync(file, 'utf8'))
  .join('\n')

test.each([
  ['finding', Object.keys(findingCatalogue)],
  ['kind of inspection', Object.keys(inspectionKinds)],
])('some inspector uses every %s of the catalogue', (_, names) => {
  expect(names.length).toBeGreaterThan(10)
  expect(names.filter((name) => !sources.includes(`'${name}'`))).toEqual([])
})

test('every finding has a meaning in one sentence, and at least one severity', () => {
  for (const [code, { severities, meaning }] of Object.entries(findingCatalogue)) {
    expect(code).toMatch(/^[A-Z]+(_[A-Z]+)*$/)
    expect(severities.length, code).toBeGreaterThan(0)
    expect(meaning, code).toMatch(/^[A-Z].+\.$/)
  }
})
