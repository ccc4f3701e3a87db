import { rm } from 'node:fs/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/index.ts'
import { killAnvilStart, killStart, leftIn, makeFolders } from './startToKill.ts'

beforeEach((context) => context.skip(process.platform !== 'linux', 'it reads /proc, which only Linux has'))

test('an interrupted or killed start leaves no process, and its folder can be opened again', async () => {
  const folders = makeFolders()
  for (const [step, signal] of [
    ['Starting', 'SIGINT'],
    ['Funding', 'SIGKILL'],
  ] as const) {
    const { killedBy, said } = await killStart(folders, { step, delayMs: 20, signal })
    expect([killedBy, said.includes('Started')]).toEqual([signal, false])
    await expect.poll(() => leftIn(folders), { timeout: 15_000 }).toEqual({ processes: [], files: [] })
  }
  const next = await startSandbox({ dataDir: folders.data, bridge: false })
  expect((await next.app.request('/health')).status).toBe(200)
  await next.stop()
  await rm(folders.all, { recursive: true })
})

describe('killed right after', () => {
  test.each([
    ['the folder was created', 'folder'],
    ['the program was started', 'process'],
  ] as const)('%s: leaves no process and no folder', async (_, moment) => {
    const folders = makeFolders()
    expect(await killAnvilStart(folders, moment)).toBe('SIGKILL')
    await expect.poll(() => leftIn(folders), { timeout: 20_000 }).toEqual({ processes: [], files: [] })
    await rm(folders.all, { recursive: true })
  })
})
