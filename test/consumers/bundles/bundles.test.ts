import { readFileSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { beforeAll, describe, expect, test } from 'vitest'
import { entryPoints } from '../packages.ts'
import { type Bundle, everyFile, ownCode, packageOf } from './bundleOf.ts'
import { entryBundles } from './entryBundles.ts'

/**
 * Size and content of each entry point. `BUDGETS=write npx vitest run --config .config/vitest.ts test/consumers/bundles` writes the current
 * sizes as budgets.
 */

type Budget = { kB: number; allKB?: number | undefined; folders: Readonly<Record<string, number>> }

const file = new URL('budgets.json', import.meta.url)
const budgets: Record<string, Budget> = JSON.parse(readFileSync(file, 'utf8'))
/** Returns the budget plus its tolerance: 2 percent, and at least 0.3 kB. */
const limitOf = (kB = 0) => kB + Math.max(kB / 50, 0.3)

/** Lists the folders that grew, largest growth first: `src/redeemkit/redeem/check 812 bytes more (of 9120)`. */
function grown(bundle: Bundle, budget: Budget): string[] {
  return Object.entries(bundle.folders)
    .map(([folder, bytes]) => ({ folder, bytes, more: bytes - (budget.folders[folder] ?? 0) }))
    .filter(({ more }) => more > 0)
    .sort((one, other) => other.more - one.more)
    .map(({ folder, bytes, more }) => `${folder}: ${more} bytes more, ${bytes} now`)
}

const names = Object.keys(entryBundles)

test('every entry point of redeemkit has a budget', () => {
  const ofBrowsers = entryPoints.filter((name) => name.startsWith('redeemkit'))
  expect(ofBrowsers.filter((name) => entryBundles[name] === undefined)).toEqual([])
  if (process.env.BUDGETS !== 'write') expect(Object.keys(budgets)).toEqual(names)
})

describe.each(Object.entries(entryBundles))('%s', (name, { code, folders, packages, onDemand, mostKB }) => {
  let own: Bundle
  let files: string[]
  beforeAll(async () => {
    ;[own, files] = await Promise.all([ownCode(code, onDemand), everyFile(code)])
  })

  test('weighs no more than its budget', () => {
    if (process.env.BUDGETS === 'write') {
      budgets[name] = { kB: own.kB, allKB: own.allKB, folders: own.folders }
      const ordered = Object.fromEntries(names.flatMap((one) => (budgets[one] ? [[one, budgets[one]]] : [])))
      writeFileSync(file, `${JSON.stringify(ordered, null, 2)}\n`)
    }
    const budget = budgets[name] ?? { kB: 0, folders: {} }
    const grew = own.kB > limitOf(budget.kB) ? grown(own, budget) : []
    expect(
      grew,
      `${own.kB} kB gzipped, and the budget is ${budget.kB}. Minified:\n${grew.join('\n')}`,
    ).toEqual([])
    expect(own.kB).toBeLessThanOrEqual(mostKB ?? own.kB)
  })

  test('is within its budget, including modules loaded on demand', () => {
    expect(own.allKB ?? 0).toBeLessThanOrEqual(limitOf(budgets[name]?.allKB))
  })

  test('contains only its own folders: no other chain and no test code', () => {
    const others = files.filter(
      (path) =>
        path.startsWith('src/') && !folders.some((folder) => path.startsWith(`src/redeemkit/${folder}/`)),
    )
    expect(others.filter((path) => !/^src\/redeemkit\/[^/]+$/.test(path))).toEqual([])
  })

  test('contains only the packages that belong to it', () => {
    const pulled = new Set(files.map(packageOf).filter((one) => one !== undefined))
    expect([...pulled].filter((one) => !packages.includes(one))).toEqual([])
  })

  test('needs neither Node nor Buffer', () => {
    expect(own.imports.filter((path) => isBuiltin(path))).toEqual([])
    expect(own.text).not.toMatch(/\b(Buffer\b[.(]|process\.(?!env\b)|require\()/)
  })

  test('contains nothing that is for development only', () => {
    expect(own.text).not.toMatch(/console\.|NODE_ENV/)
  })

  test('contains no zod locale', () => {
    expect(files.filter((path) => /zod\/.*\/locales\//.test(path))).toEqual([])
  })
})
