import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { connectPipe } from './connectPipe.ts'
import { serveNode } from './serveNode.ts'
import { startProcess } from './startProcess.ts'

const folder = mkdtempSync(join(tmpdir(), 'redeemkit-program-'))
// The process creates its folder in this one.
beforeAll(() => void vi.stubEnv('TMPDIR', folder))
afterAll(() => rmSync(folder, { recursive: true }))

const left = () => readdirSync(folder).filter((name) => name.startsWith('redeemkit-anvil-'))

function program(name: string, text: string, mode: number): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  chmodSync(file, mode)
  return file
}

test.each([
  ['does not exist', () => join(folder, 'absent'), /ENOENT/, /npm install/],
  ['is not executable', () => program('closed', '#!/bin/sh\n', 0o600), /EACCES/, /chmod \+x/],
  ['exits', () => program('ends', '#!/bin/sh\necho no libc >&2\nexit 3\n', 0o700), /exit code 3/, /no libc/],
  [
    'prints nothing',
    () => program('silent', '#!/bin/sh\nexec sleep 60\n', 0o700),
    /not ready after/,
    /last output/,
  ],
])('a program that %s throws an error with a fix and leaves no folder', async (_, file, what, fix) => {
  const error = await startProcess({ chainId: 1, program: file(), startTimeoutMs: 300 }).catch(
    (thrown) => thrown,
  )
  expect(error).toMatchObject({
    name: 'AnvilStartError',
    shortMessage: expect.stringMatching(what),
    fix: expect.stringMatching(fix),
  })
  expect(left()).toEqual([])
})

describe('serveNode', () => {
  const serve = serveNode({ ask: async () => '"result":"0x1"}' })
  const setBalance = (headers: Record<string, string>) =>
    serve(
      new Request('http://127.0.0.1:8545', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_setBalance', params: [] }),
      }),
    )

  test('responds to this machine, even through a development server', async () => {
    const answer = await setBalance({ 'x-forwarded-for': '127.0.0.1' })
    expect(await answer.json()).toStrictEqual({ jsonrpc: '2.0', id: 1, result: '0x1' })
  })

  test('rejects strangers behind a tunnel', async () => {
    const answer = await setBalance({ 'x-forwarded-for': '203.0.113.9' })
    expect([answer.status, (await answer.json()).error.message]).toStrictEqual([
      403,
      'The chain is available on this machine only.',
    ])
  })
})

describe('connectPipe', () => {
  let folder: string
  let server: Server
  let isHung = false
  let onAnswered = () => {}
  let sockets: Socket[] = []

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'redeemkit-pipe-'))
    isHung = false
    sockets = []
    server = createServer((socket) => {
      sockets.push(socket)
      socket.on('data', (lines: Buffer) => {
        if (isHung) return
        for (const line of lines.toString().trim().split('\n'))
          socket.write(`{"jsonrpc":"2.0","id":${JSON.parse(line).id},"result":"0x1"}\n`)
        onAnswered()
      })
    })
    await new Promise<void>((resolve) => server.listen(join(folder, 'socket'), resolve))
  })

  afterEach(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
    await rm(folder, { recursive: true })
  })

  test('fails every request of a chain that hangs, and serves later ones once it continues', async () => {
    const { ask, close } = await connectPipe(join(folder, 'socket'), { silenceMs: 200 })
    expect(await ask('eth_chainId', [])).toBe('"result":"0x1"}')
    isHung = true
    const asked = ['eth_chainId', 'eth_blockNumber'].map((method) => ask(method, []))
    for (const one of asked)
      await expect(one).rejects.toMatchObject({
        name: 'ChainConnectionError',
        shortMessage: 'The chain did not respond for 0.2 s.',
      })
    isHung = false
    expect(await ask('eth_chainId', [])).toBe('"result":"0x1"}')
    close()
  })

  test('does not treat a pause of this process as silence of the chain', async () => {
    const { ask, close } = await connectPipe(join(folder, 'socket'), { silenceMs: 20 })
    const asked = ask('eth_chainId', [])
    await new Promise<void>((resolve) => {
      onAnswered = resolve
    })
    const until = performance.now() + 100
    while (performance.now() < until);
    expect(await asked).toBe('"result":"0x1"}')
    close()
  })
})
