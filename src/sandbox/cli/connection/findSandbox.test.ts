import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { sandboxOptions } from '../options.ts'
import { announcedSandboxes, announceSandbox, checkIntentBound, findSandbox } from './findSandbox.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'redeemkit-find-'))
  vi.stubEnv('TMPDIR', folder)
  vi.stubEnv('REDEEMKIT_URL', undefined)
  vi.stubEnv('REDEEMKIT_API_KEY', undefined)
})
afterEach(async () => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
})

const find = (...text: string[]) => findSandbox(sandboxOptions(new Command()).parse(text, { from: 'user' }))
const announce = (port: number) =>
  announceSandbox({
    url: `http://127.0.0.1:${port}`,
    apiKey: `sk_${port}`,
    merchantId: `shop-${port}`,
    creditSeed: 'seed',
    headerPrefix: 'x-their-',
    service: 'randomNonce',
  })

test('returns the default address without a key if no sandbox is running', async () => {
  expect(await find()).toMatchObject({ url: 'http://127.0.0.1:4242', apiKey: undefined })
})

test('returns the running sandbox, on any port, with its key, merchant and header prefix', async () => {
  await announce(5000)
  expect(await find()).toEqual({
    url: 'http://127.0.0.1:5000',
    apiKey: 'sk_5000',
    merchantId: 'shop-5000',
    creditSeed: 'seed',
    headerPrefix: 'x-their-',
    service: 'randomNonce',
  })
})

test('prefers the sandbox that was started in this folder, or in its closest parent folder', async () => {
  const cwd = vi.spyOn(process, 'cwd')
  const announceIn = async (path: string, port: number) => {
    cwd.mockReturnValue(path)
    await announce(port)
  }
  await announceIn('/shops/a', 5000)
  await announceIn('/shops', 4242)
  await announceIn('/shops/ab', 5001)
  const findIn = (path: string) => {
    cwd.mockReturnValue(path)
    return find()
  }
  expect(await findIn('/shops/a')).toMatchObject({ apiKey: 'sk_5000' })
  expect(await findIn('/shops/a/contracts')).toMatchObject({ apiKey: 'sk_5000' })
  expect(await findIn('/shops/b')).toMatchObject({ apiKey: 'sk_4242' })
  await expect(findIn('/elsewhere')).rejects.toThrow('Several sandboxes are running: ')
})

test('requires a selection if several sandboxes were started in this folder, even if one has the default port', async () => {
  await announce(5000)
  await announce(4242)
  await expect(find()).rejects.toThrow(
    'Several sandboxes are running: http://127.0.0.1:4242, http://127.0.0.1:5000.',
  )
  expect(await find('--url', 'http://localhost:5000/dashboard')).toMatchObject({ apiKey: 'sk_5000' })
})

test('returns no merchant if the given key is not the running sandbox’s key', async () => {
  await announce(5000)
  expect(await find('--api-key', 'sk_other')).toEqual({
    url: 'http://127.0.0.1:5000',
    apiKey: 'sk_other',
    headerPrefix: 'x-their-',
    service: 'randomNonce',
  })
})

test('returns no announced key for a URL of another machine', async () => {
  await announce(5000)
  expect(await find('--url', 'http://sandbox.example:5000')).toMatchObject({ apiKey: undefined })
})

test('rejects a sandbox with random nonces', async () => {
  await announce(5000)
  const found = await find()
  expect(() => checkIntentBound(found)).toThrow('http://127.0.0.1:5000 runs with --service randomNonce')
})

describe('announcedSandboxes', () => {
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

  test('lists a sandbox until it ends', async () => {
    const withdraw = await announceSandbox(sandbox, folder)
    expect(await announcedSandboxes(folder)).toEqual([
      { ...sandbox, pid: process.pid, folder: process.cwd() },
    ])
    await withdraw()
    expect(await announcedSandboxes(folder)).toEqual([])
  })

  test('does not list a killed sandbox', async () => {
    await announceSandbox(sandbox, folder)
    const { pid } = spawnSync(process.execPath, ['--version'])
    const file = join(folder, '4242.json')
    await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, 'utf8')), pid }))
    expect(await announcedSandboxes(folder)).toEqual([])
  })

  test('ignores files that other programs wrote to the folder', async () => {
    await writeFile(join(folder, '1.json'), '{"url":')
    expect(await announcedSandboxes(folder)).toEqual([])
  })

  test('neither writes nor reads a folder that other users can access', async () => {
    await announceSandbox(sandbox, folder)
    await chmod(folder, 0o755)
    expect(await announcedSandboxes(folder)).toEqual([])
    await expect(announceSandbox(sandbox, folder)).rejects.toThrow('other users can access it')
  })
})
