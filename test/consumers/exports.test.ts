import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { entryPoints } from '../../.config/entryPoints.ts'
import { root } from './packages.ts'

test('the entry points export these names: a change needs a changeset', async () => {
  const lists = await Promise.all(
    Object.entries(entryPoints).map(
      async ([name, path]) =>
        `# ${name}\n${Object.keys(await import(root + path))
          .sort()
          .join('\n')}\n`,
    ),
  )
  await expect(lists.join('\n')).toMatchFileSnapshot('./exports.txt')
})

/** A bundler of server components (Next) runs a file with `'use client'` in the page, and all other files on the server. */

const folder = join(root, 'src/redeemkit/react')
const files = readdirSync(folder).filter((name) => /(?<!\.test|\.fixture)\.tsx?$/.test(name))
const textOf = (name: string) => readFileSync(join(folder, name), 'utf8')
const isOfThePage = (name: string) => /^'use client'\n/.test(textOf(name))
/** Whether a file runs React code, rather than importing only its types. */
const usesReact = (name: string) =>
  /^import (?!type)(?!\{( type [^,}]+,?)+ \})[^'"]*from '(react|wagmi|@tanstack\/react-query)'/m.test(
    textOf(name),
  )

test('each file that runs React code is a client module', () => {
  expect(files.filter(usesReact).length).toBeGreaterThan(0)
  expect(files.filter((name) => usesReact(name) && !isOfThePage(name))).toEqual([])
})

test('the entry point is not a client module, so that a server can configure a page', () => {
  expect(isOfThePage('index.ts')).toBe(false)
  // If the entry point were a client module, every export would have to be listed by name.
  expect(textOf('index.ts')).not.toMatch(/export \*/)
})
