import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { devAccount } from '../../src/sandbox/index.ts'
import { runCommand, runHere } from '../cli/runCommand.ts'
import { type Caller, caller, creditsAuthMsgPath, overHttp } from './sandboxClient.ts'

const run = (...options: string[]) => runCommand(['sandbox', ...options])

/** Runs the command in this process, with options that it refuses. */
async function refuse(...options: string[]) {
  const { code, stdout, stderr } = await runHere(['sandbox', ...options])
  return { code, text: stdout + stderr }
}

describe('a service that emulates another service', () => {
  let dataDir: string
  let running: Awaited<ReturnType<typeof run>>
  let service: Caller

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'redeemkit-command-'))
    running = await run(
      ...['--port', '0', '--service', 'randomNonce', '--header-prefix', 'x-foo-', '--data-dir', dataDir],
      ...['--merchant-id', 'their-shop', '--credit-seed', 'their-seed', '--api-key', 'their-key'],
    )
    const isUp = () => expect(running.text()).toContain('Press Ctrl+C')
    await vi.waitFor(isUp, { timeout: 60_000, interval: 100 })
    service = caller(overHttp(/http:\/\/127\.0\.0\.1:\d+/.exec(running.text())?.[0] ?? ''))
  }, 70_000)
  afterAll(async () => {
    stop(running?.child)
    await running?.ended
    await rm(dataDir, { recursive: true })
  })

  test('prints the settings to configure', () => {
    for (const value of ['their-shop', 'their-seed', 'their-key', 'x-foo-', 'intentBound: false'])
      expect(running.text()).toContain(value)
  })

  test("accepts the other service's headers, merchant and key, and returns random nonces", async () => {
    const wallet = devAccount('alice').account.address
    const { status, body } = await service.post(
      creditsAuthMsgPath,
      {
        merchantId: 'their-shop',
        subtotal: { cents: 50 },
        transactionData: { type: 'token', destination: wallet },
      },
      { 'x-foo-auth-wallet': wallet, 'x-foo-auth-blockchain': 'base' },
    )
    expect(status).toBe(200)
    expect(body.salt).toBeUndefined()
    expect(JSON.parse(body.message).message.creditSeed).toBe('their-seed')
    const key = await service.get('/api/auth/session-key', {
      authorization: 'their-key',
      'x-foo-auth-user-id': 'somebody',
    })
    expect(key.status).toBe(200)
    expect((await service.get('/api/nothing')).body).toEqual({
      message: 'Error Processing your request',
      details: expect.any(String),
    })
  })

  test('Ctrl+C ends it, and it prints where its data is', async () => {
    stop(running.child)
    expect(await running.ended).toBe(0)
    expect(running.text()).toContain(`Stopped. The data is stored in ${dataDir}.`)
  })
})

test('a taken port is reported before anything starts', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP server's address has a port
  try {
    const { code, text } = await refuse('--port', String(port))
    expect(code).toBe(2)
    expect(text).toContain(`Port ${port} of 127.0.0.1 is in use`)
    expect(text).not.toContain('Starting')
  } finally {
    server.close()
  }
}, 30_000)

test.each([
  ['--merchant-id', ''],
  ['--credit-seed', ' '],
  ['--api-key', ''],
])(
  'an empty %s is reported under its own name',
  async (flag, value) => {
    const { code, text } = await refuse('--port', '0', flag, value)
    expect(code).toBe(2)
    expect(text).toMatch(new RegExp(`^error: option '${flag} <\\w+>' argument '${value}' is invalid`, 'm'))
  },
  30_000,
)

test.each([
  [
    'postgresql://me:geheim@127.0.0.1:1/shop',
    'DatabaseUnavailableError: No PostgreSQL server responds at 127.0.0.1:1/shop.',
  ],
  ['mysql://me:geheim@127.0.0.1/shop', 'InvalidSandboxOptionsError: --database-url is not a PostgreSQL URL'],
])(
  'an unusable database is reported before anything is started, without its password: %s',
  async (databaseUrl, texts) => {
    const { code, text } = await refuse('--port', '0', '--database-url', databaseUrl)
    expect(code).toBe(2)
    expect(text).toContain(texts)
    expect(text).toContain('Field: --database-url')
    expect(text).not.toMatch(/geheim|Starting|^ +at /m)
  },
  30_000,
)

test('a data folder that is a file is reported', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'redeemkit-file-'))
  const file = join(folder, 'a-file')
  await writeFile(file, '')
  // As a process, which must end although it has started the database's thread.
  const { ended, text } = await run('--port', '0', '--data-dir', file)
  expect(await ended).toBe(2)
  expect(text()).toMatch(/^InvalidSandboxOptionsError: The folder .*a-file cannot be created\.$/m)
  await rm(folder, { recursive: true })
}, 30_000)

test('a second signal ends the process immediately', async () => {
  const { child, ended, text } = await run('--port', '0', '--json')
  await vi.waitFor(() => expect(text()).toMatch(/^}$/m), { timeout: 60_000, interval: 100 })
  const { url, base } = JSON.parse(/^\{$[\s\S]*^\}$/m.exec(text())?.[0] ?? '')
  expect(base.rpcUrl).toBe(`${url}/rpc/base`)
  // An incomplete request stays pending forever.
  const half = request(`${url}/rpc/base`, { method: 'POST', headers: { 'content-type': 'application/json' } })
  half.on('error', () => {})
  half.write('{')
  await caller(overHttp(url)).get('/api/nothing')
  child.kill('SIGTERM')
  await vi.waitFor(() => expect(text()).toContain('Stopping.'))
  child.kill('SIGTERM')
  expect(await ended).toBe(143)
}, 70_000)

function stop(child: ChildProcess | undefined): void {
  if (child?.exitCode === null) child.kill('SIGINT')
}
