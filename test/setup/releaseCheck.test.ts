import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
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
