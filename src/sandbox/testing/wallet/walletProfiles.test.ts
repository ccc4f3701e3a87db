import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { walletProfiles } from './walletProfiles.ts'

const table = readFileSync(new URL('PROFILES.md', import.meta.url), 'utf8')

test('PROFILES.md lists every profile with its report', () => {
  const rows = walletProfiles.map(
    ({ name, wallet, what, reported }) => `| \`${name}\` | ${wallet} | ${what} | ${reported} |`,
  )
  expect(table.split('\n').filter((line) => line.startsWith('| `'))).toEqual(rows)
})

test('names are used once, and every report is an issue or a pull request', () => {
  const names = walletProfiles.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names.length).toBeGreaterThanOrEqual(20)
  for (const { reported } of walletProfiles)
    expect(reported).toMatch(/^https:\/\/github\.com\/[\w.-]+\/[\w.-]+\/(?:issues|pull)\/\d+$/)
})
