import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { announcedSandboxes, announceSandbox } from './announcedSandboxes.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'redeemkit-announced-'))
})
afterEach(() => rm(folder, { recursive: true }))

const sandbox = {
  url: 'http://127.0.0.1:4242',
  apiKey: 'sk_1',
  merchantId: 'shop',
  creditSeed: 'seed',
  headerPrefix: 'x-svc-',
  service: 'intentBound' as const,
}

test('a sandbox that runs is found, and not when it has ended', async () => {
  const withdraw = await announceSandbox(sandbox, folder)
  expect(await announcedSandboxes(folder)).toEqual([{ ...sandbox, pid: process.pid, folder: process.cwd() }])
  await withdraw()
  expect(await announcedSandboxes(folder)).toEqual([])
})

test('a killed sandbox is not found', async () => {
  await announceSandbox(sandbox, folder)
  const { pid } = spawnSync(process.execPath, ['--version'])
  const file = join(folder, '4242.json')
  await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, 'utf8')), pid }))
  expect(await announcedSandboxes(folder)).toEqual([])
})

test('a file of another program is not touched', async () => {
  await writeFile(join(folder, '1.json'), '{"url":')
  expect(await announcedSandboxes(folder)).toEqual([])
})

test('where others may read or write, nothing is written and nothing believed', async () => {
  await announceSandbox(sandbox, folder)
  await chmod(folder, 0o755)
  expect(await announcedSandboxes(folder)).toEqual([])
  await expect(announceSandbox(sandbox, folder)).rejects.toThrow('other users can access it')
})
