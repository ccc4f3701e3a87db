import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { entryPoints } from '../../.config/entryPoints.ts'
import { inlineGenerated } from '../../.config/inlineGenerated.ts'
import { packagedPages } from '../../.config/writePackage.ts'
import { InvalidAddressError } from '../../src/redeemkit/core/errors/inputErrors.ts'

/** Texts for npm users and coding agents must refer only to files in the packages. */

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const names = ['redeemkit', 'sandbox'] as const

describe.each(names)('%s', (name) => {
  test.each(['README.md', 'AGENTS.md'])('%s mentions nothing that only this repository has', (file) => {
    expect(read(`src/${name}/${file}`)).not.toMatch(/npm ci|npm run|examples\/|\bsrc\/|test\/|\]\(/)
  })

  test('every import that AGENTS.md and README.md show exists', async () => {
    const text = `${read(`src/${name}/AGENTS.md`)}${read(`src/${name}/README.md`)}`
    const imports = [
      ...text.matchAll(/import \{ ([^}]+) \} from '((?:@redeemkit\/sandbox|redeemkit)[^']*)'/g),
    ]
    expect(imports.length).toBeGreaterThan(4)
    for (const [, list = '', entryPoint = ''] of imports) {
      const exported = Object.keys(await import(`${root}${entryPoints[entryPoint]}`))
      expect(exported, entryPoint).toEqual(expect.arrayContaining(list.split(', ')))
    }
  })

  test('the manifest ships both', () => {
    const { files } = JSON.parse(read(`src/${name}/package.json`))
    expect(files).toEqual(expect.arrayContaining(['README.md', 'AGENTS.md', 'LICENSE', 'CHANGELOG.md']))
  })

  test('the changelog has the version of the manifest', () => {
    const { version } = JSON.parse(read(`src/${name}/package.json`))
    expect(read(`src/${name}/CHANGELOG.md`)).toContain(`## ${version}\n`)
  })
})

test('the READMEs have a row for every entry point', () => {
  for (const name of Object.keys(entryPoints)) {
    const folder = name.startsWith('@') ? 'sandbox' : 'redeemkit'
    expect(read(`src/${folder}/README.md`), name).toMatch(new RegExp(`^\\|.*\`${name}\`.*\\|`, 'm'))
    // In a row of the table, only the first entry point includes the package's name.
    const [, path = name] = /^redeemkit(\/.*)$/.exec(name) ?? []
    if (folder === 'redeemkit')
      expect(read('README.md'), name).toMatch(new RegExp(`^\\|.*${path}\`.*\\|`, 'm'))
  }
})

test('the shipped documentation links only to shipped pages', () => {
  const pages = packagedPages()
  const dead = [...pages].flatMap(([path, text]) =>
    [...text.matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)(?:#[^)]*)?\)/g)].flatMap(([link, target = '']) =>
      pages.has(posix.join(posix.dirname(path), target)) ? [] : [`${path}: ${link}`],
    ),
  )
  expect(pages.size).toBeGreaterThan(50)
  expect(dead).toEqual([])
})

test("an error's docs lead to its entry", () => {
  const errors = packagedPages().get('reference/errors.md') ?? ''
  const entries = new Set([...errors.matchAll(/^## (\w+)$/gm)].map(([, name = '']) => name.toLowerCase()))
  const { docs } = new InvalidAddressError('It is no address.')
  const [, page, entry = ''] = /^redeemkit\/docs\/(.*)#(\w+)$/.exec(docs) ?? []
  expect(page).toBe('reference/errors.md')
  expect(entries.has(entry)).toBe(true)
})

describe('inlineGenerated', () => {
  const folders = ['/repository', 'C:\\repository'] as const
  const pathIn = (folder: (typeof folders)[number], file: string) =>
    folder === '/repository' ? `${folder}/${file}` : `${folder}\\${file.replaceAll('/', '\\')}`

  test.each(folders)(
    'inlines the computed modules, including those with Windows paths: %s',
    async (folder) => {
      const load = (file: string) => inlineGenerated.load(pathIn(folder, file))
      expect(await load('src/sandbox/pages/card/cardScript.ts')).toMatch(
        /^export const cardScript = \(\) => Promise\.resolve\("/,
      )
      expect(await load('src/sandbox/store/migrations.ts')).toMatch(
        /^export const readMigrations = \(\) => \[\{"name":"0000_first"/,
      )
      expect(await load('src/sandbox/store/migrate.ts')).toBeNull()
    },
  )
})
