import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { connectPipe } from './connectPipe.ts'

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

test('a chain that hangs fails every request, and answers later ones once it continues', async () => {
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

test("a pause of this process is not treated as the chain's silence", async () => {
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
