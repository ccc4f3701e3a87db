import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningSandbox, startAnvil, startSandbox } from '../../src/sandbox/index.ts'
import { publicClient } from './sandboxClient.ts'

/** A local chain is the origin; the sandbox is a fork of one of its blocks. The tests go on from each other. */
let origin: Awaited<ReturnType<typeof startAnvil>>
let sandbox: RunningSandbox
const someone = `0x${'ab'.repeat(20)}` as const

beforeAll(async () => {
  origin = await startAnvil({ chainId: 84532 })
  await origin.request({ method: 'anvil_mine', params: ['0x5', '0x2'] })
  await origin.request({ method: 'anvil_setBalance', params: [someone, '0x7'] })
  await origin.request({ method: 'anvil_mine', params: ['0x1'] })
  sandbox = await startSandbox({ forkUrl: origin.url, forkBlockNumber: 4 })
})
afterAll(async () => {
  await sandbox?.stop()
  await origin?.stop()
})

test('a chain’s record says at which block it was forked, and never where', async () => {
  const { base, arbitrum } = sandbox.chains
  expect([base?.forked, arbitrum?.forked]).toEqual([{ blockNumber: 4 }, false])
  expect(JSON.stringify(sandbox.chains)).not.toContain(origin.url)
})

test('the state is that of the pinned block', async () => {
  expect(await publicClient(sandbox.chains.base?.rpcUrl ?? '').getBalance({ address: someone })).toBe(0n)
})
