import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { startSandbox } from '../../src/sandbox/index.ts'
import { bundleCommand, runCommand } from './runCommand.ts'

test('Ctrl+C during a start leaves no process, and the folder opens again', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'redeemkit-interrupted-'))
  const chains = join(dataDir, 'chains')
  const command = await runCommand(['sandbox', '--port', '0', '--data', dataDir], { detached: true })
  // A chain is ready about a second after its process starts. Interrupts at a random moment in between.
  await vi.waitFor(() => expect(existsSync(chains)).toBe(true), { timeout: 60_000, interval: 10 })
  const delayMs = Math.floor(Math.random() * 1_000)
  await sleep(delayMs)
  // As a terminal does it: to the whole group, with the chains' processes in it.
  process.kill(-(command.child.pid ?? Number.NaN), 'SIGINT')
  const moment = `${delayMs} ms after the first chain`
  expect([130, 0], moment).toContain(await command.ended)
  expect(command.stderr(), moment).toMatch(/^Stopping\. [\s\S]*^Stopped/m)
  expect(command.stderr(), moment).not.toMatch(/Error/)
  // The file exists for as long as the chain's process runs.
  expect(
    (await readdir(chains)).filter((name) => name.endsWith('.pid')),
    moment,
  ).toEqual([])
  const again = await startSandbox({ dataDir })
  await again.stop()
  await rm(dataDir, { recursive: true })
}, 90_000)

test.each([
  // npx runs a command in a shell, and passes a SIGTERM on to the shell only.
  [
    'npx',
    'sh',
    async () => ['-c', '"$0" "$1" sandbox --port 0; true', process.execPath, await bundleCommand()],
  ],
  ['npm run sandbox', 'npm', async () => ['run', 'sandbox', '--', '--port', '0']],
])(
  'a sandbox in the background stops when %s is terminated',
  async (_, program, args) => {
    const started = spawn(program, await args(), {
      env: { ...process.env, npm_command: 'exec', NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let text = ''
    for (const stream of [started.stdout, started.stderr])
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString()
      })
    // The sandbox holds both streams open until it ends.
    const ended = new Promise((resolve) => started.once('close', resolve))
    await vi.waitFor(() => expect(text).toContain('Press Ctrl+C'), { timeout: 60_000, interval: 100 })
    started.kill('SIGTERM')
    await ended
    expect(text).toContain('Stopped. No data was stored.')
    const [, url = ''] = /(http:\/\/127\.0\.0\.1:\d+)/.exec(text) ?? []
    await expect(fetch(`${url}/health`)).rejects.toThrow()
  },
  90_000,
)

test('Ctrl+C while a redeem is prepared reports that nothing was sent, and ends with the signal', async () => {
  // A sandbox that never responds.
  const asked = vi.fn()
  const server = createServer(asked)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP server's address has a port
  try {
    const url = `http://127.0.0.1:${port}`
    const { child, ended, stderr } = await runCommand(
      ['redeem', '--type', 'token', '--to', 'bob', '--amount', '1', '--url', url],
      {},
    )
    await vi.waitFor(() => expect(asked).toHaveBeenCalled(), { timeout: 30_000, interval: 10 })
    child.kill('SIGINT')
    await ended
    expect(child.signalCode).toBe('SIGINT')
    expect(stderr()).toBe('\nNothing was sent.\n')
  } finally {
    server.closeAllConnections()
    server.close()
  }
}, 60_000)
