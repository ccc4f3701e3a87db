import { execFile } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { startSandbox } from '@redeemkit/sandbox'
import { expect, test } from 'vitest'

const source = readFileSync(new URL('./index.ts', import.meta.url), 'utf8')

test('pays once, however often it runs', async () => {
  const sandbox = await startSandbox({ bridge: false })
  // The same program with this sandbox's port. It is written to this folder because it imports redeemkit.
  const copy = new URL(`./${process.pid}.tmp.ts`, import.meta.url)
  writeFileSync(copy, source.replace('http://127.0.0.1:4242', sandbox.url))
  try {
    const run = async () =>
      (await promisify(execFile)(process.execPath, ['--import', 'tsx', copy.pathname], { timeout: 60_000 }))
        .stdout
    const receipt = await run()
    expect(receipt).toMatch(/hash: '0x[0-9a-f]{64}'/)
    expect(receipt).toContain('amount: 10000000n')
    expect(await run()).toBe(receipt) // The second run reports the first payment.
  } finally {
    rmSync(copy)
    await sandbox.stop()
  }
})
