import { rm } from 'node:fs/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/index.ts'
import { caller, customer, sendGaslessTxPath, signedPayment } from './sandboxClient.ts'
import { killStart, leftIn, makeFolders } from './startToKill.ts'

beforeEach((context) => context.skip(process.platform !== 'linux', 'it reads /proc, which only Linux has'))

/** A start that is killed at any step must leave no process, and a folder in which the next start succeeds. */
describe.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)('%s', (signal) => {
  test.each(
    ['Opening', 'Starting', 'Deploying', 'Funding', 'Listening'].flatMap((step) =>
      [0, 40, 160].map((delayMs) => ({ step, delayMs })),
    ),
  )('%j', async (moment) => {
    const folders = makeFolders()
    await killStart(folders, { ...moment, signal })
    await expect.poll(() => leftIn(folders), { timeout: 20_000 }).toEqual({ processes: [], files: [] })
    const sandbox = await startSandbox({ dataDir: folders.data, bridge: false })
    try {
      const { alice } = sandbox.accounts
      const service = caller(sandbox.app)
      const body = await signedPayment(service, sandbox)
      expect((await service.post(sendGaslessTxPath, body, customer(alice.address))).status).toBe(200)
    } finally {
      await sandbox.stop()
    }
    await rm(folders.all, { recursive: true })
  })
})
