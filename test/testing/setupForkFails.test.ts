import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'

/** Tests the errors of `setupFork` for wrong tests and files, by running Vitest on such files. */
const root = fileURLToPath(new URL('../..', import.meta.url))
let report: Report
beforeAll(async () => {
  const vitest = `${root}node_modules/vitest/vitest.mjs`
  const config = `${root}test/testing/runs/vitest.ts`
  const { VITEST: _, VITEST_WORKER_ID: __, ...env } = process.env
  const folder = await mkdtemp(join(tmpdir(), 'redeemkit-report-'))
  const file = join(folder, 'report.json')
  await promisify(execFile)(
    process.execPath,
    [vitest, 'run', '--config', config, '--reporter', 'json', '--outputFile', file],
    { cwd: root, env, maxBuffer: 10_000_000 },
    // Vitest exits with 1, because these tests fail as intended.
  ).catch(() => {})
  report = JSON.parse(await readFile(file, 'utf8'))
  await rm(folder, { recursive: true })
})

type Report = {
  testResults: {
    name: string
    message: string
    assertionResults: { title: string; status: string; failureMessages: string[] }[]
  }[]
}

function resultOf(title: string) {
  const found = report.testResults.flatMap((file) => file.assertionResults).find((one) => one.title === title)
  return { status: found?.status, said: found?.failureMessages.join('\n') ?? '' }
}

test.each([
  ['throws', /^Error: in the middle/],
  ['cannot be restored', /snapshot does not exist/],
  ['is the other of two concurrent ones', /Two tests of this file run concurrently[\s\S]*startFork/],
])('a test that %s says why', (title, message) => {
  const { status, said } = resultOf(title)
  expect(status).toBe('failed')
  expect(said).toMatch(message)
})

test.each([
  'follows one that threw',
  'follows one that took too long',
  'follows one that could not be restored',
  'is one of two concurrent ones',
  'follows two concurrent ones',
])('a test that %s is not affected', (title) => {
  expect(resultOf(title)).toEqual({ status: 'passed', said: '' })
})

test('reading a chain before it runs is an error that says where to read it', () => {
  const file = report.testResults.find(({ name }) => name.endsWith('outside.run.ts'))
  expect(file?.message).toMatch(/fork\.usdc was read while no chain is running[\s\S]*Read it in a test/)
})
