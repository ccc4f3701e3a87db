import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { wireErrors } from '../../src/redeemkit/core/errors/wireErrors.ts'

/** Each meaning has one error class, and each name has one meaning. */

const sourceRoot = fileURLToPath(new URL('../../src', import.meta.url))

/** Returns every error class of the sources, with the files that declare it. */
function errorClasses(): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const entry of readdirSync(sourceRoot, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/(?<!\.(?:test|fixture))\.ts$/.test(entry.name)) continue
    const file = join(entry.parentPath, entry.name)
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/^(?:export )?class (\w+Error) /gm))
      found.set(name, [...(found.get(name) ?? []), relative(sourceRoot, file)])
  }
  return found
}

test('every error class is declared once', () => {
  const classes = errorClasses()
  expect(classes.size).toBeGreaterThan(50)
  expect([...classes].filter(([, files]) => files.length > 1)).toEqual([])
})

test('no error class has the name of a wire error', () => {
  const wireNames = new Set<string>(Object.values(wireErrors).map(({ name }) => name))
  expect([...errorClasses().keys()].filter((name) => wireNames.has(name))).toEqual([])
})
