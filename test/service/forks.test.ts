import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { paymentSettlementAbi } from '../../contracts/generated/PaymentSettlement.ts'
import { waitForReceipt } from '../../src/sandbox/chains/waitForReceipt.ts'
import { type RunningSandbox, startAnvil, startSandbox } from '../../src/sandbox/index.ts'
import { startRpcProxy } from './rpcProxy.ts'
import {
  anvil,
  caller,
  customer,
  publicClient,
  redeemedEvents,
  sendGaslessTxPath,
  signedBody,
  signedPayment,
} from './sandboxClient.ts'

/** The origin is a local chain, and the sandbox is a fork of one of its blocks. The tests depend on each other. */
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

test('a chain’s record has the fork block, but never the endpoint', async () => {
  const { base, arbitrum } = sandbox.chains
  expect([base?.forked, arbitrum?.forked]).toEqual([{ blockNumber: 4 }, false])
  expect(JSON.stringify(sandbox.chains)).not.toContain(origin.url)
})

test('the state is that of the pinned block', async () => {
  expect(await publicClient(sandbox.chains.base?.rpcUrl ?? '').getBalance({ address: someone })).toBe(0n)
})

test('an endpoint of a different chain is reported before the folder is written', async () => {
  const dataDir = join(tmpdir(), `redeemkit-fork-${process.pid}`)
  const steps: string[] = []
  const options = { forkUrl: origin.url, environment: 'prod', dataDir } as const
  await expect(startSandbox({ ...options, onProgress: (step) => steps.push(step) })).rejects.toMatchObject({
    name: 'ForkOriginError',
    problem: 'otherChain',
  })
  expect([steps, existsSync(dataDir)]).toEqual([[], false])
})

const year = 365 * 86_400
const now = () => Math.floor(Date.now() / 1000)

/** Returns a redeem of one dollar by alice, from the service's message to the block. */
async function redeemed(running: RunningSandbox): Promise<string> {
  const { alice, bob } = running.accounts
  const service = caller(running.app)
  const request = {
    merchantId: running.merchantId,
    subtotal: { cents: 100 },
    transactionData: { type: 'token', destination: bob.address },
  } as const
  const body = await signedBody(service, { request, key: alice.account })
  const sent = await service.post(sendGaslessTxPath, body, customer(alice.address))
  expect(sent.body).toEqual({ hash: expect.any(String) })
  const client = publicClient(running.chains.base?.rpcUrl ?? '')
  return (await waitForReceipt(client, sent.body.hash)).status
}

const blockTime = async ({ chains }: RunningSandbox) =>
  Number((await publicClient(chains.base?.rpcUrl ?? '').getBlock()).timestamp)

describe.each([
  ['a year old', -year],
  ['a day ahead of this machine', 86_400],
])('a fork of a block that is %s', (_, seconds) => {
  let old: Awaited<ReturnType<typeof startAnvil>>
  let fork: RunningSandbox
  beforeAll(async () => {
    old = await startAnvil({ chainId: 84532, extraArguments: ['--timestamp', String(now() + seconds)] })
    fork = await startSandbox({ forkUrl: old.url, bridge: false })
  })
  afterAll(async () => {
    await fork?.stop()
    await old?.stop()
  })

  test('continues at its own time or the service’s (the later one), and a redeem succeeds', async () => {
    expect(await redeemed(fork)).toBe('success')
    expect(Math.abs((await blockTime(fork)) - now() - Math.max(0, seconds))).toBeLessThan(60)
  })

  test('a USDC authorization for a checkout is valid by the chain’s time', async () => {
    const { address } = fork.accounts.alice
    const body = { amount: { cents: 100 }, nonce: `0x${'8f'.repeat(32)}` }
    const path = '/api/checkout/evm/usdc-authorization'
    const answer = await caller(fork.app).post(path, body, customer(address))
    expect(Number(answer.body.messageData.validBefore)).toBeGreaterThan((await blockTime(fork)) + 60)
  })
})

describe('time advanced through the chain’s own address', () => {
  const rpc = (method: string, ...params: unknown[]) =>
    anvil(sandbox.chains.base?.rpcUrl ?? '').rpc(method, params)

  test.each<[string, () => Promise<unknown>]>([
    ['evm_increaseTime without a block', () => rpc('evm_increaseTime', 86_400)],
    [
      'evm_increaseTime with a block',
      async () => {
        await rpc('evm_increaseTime', 86_400)
        await rpc('evm_mine')
      },
    ],
    [
      'evm_setNextBlockTimestamp',
      async () => rpc('evm_setNextBlockTimestamp', (await blockTime(sandbox)) + 86_400),
    ],
  ])('%s: a redeem succeeds', async (_, move) => {
    const before = await blockTime(sandbox)
    await move()
    expect(await redeemed(sandbox)).toBe('success')
    expect(await blockTime(sandbox)).toBeGreaterThan(before + 80_000)
  })
})

test('a fork of a sandbox settles payments with its own credits', async () => {
  const fork = await startSandbox({ forkUrl: sandbox.chains.base?.rpcUrl ?? '', bridge: false })
  const { rpcUrl = '', creditsContract, paymentSettlement = someone } = fork.chains.base ?? {}
  const call = { address: paymentSettlement, abi: paymentSettlementAbi, functionName: 'credits' } as const
  expect(await publicClient(rpcUrl).readContract(call)).toBe(creditsContract)
  await fork.stop()
})

test('while the origin does not respond, a redeem gets a 503 after 10 s, and is sent once the origin responds again', async () => {
  const proxy = await startRpcProxy(origin.url)
  const fork = await startSandbox({ forkUrl: proxy.url, bridge: false })
  try {
    const { base } = fork.chains
    if (base === undefined) throw new Error('The sandbox has no chain Base.')
    const service = caller(fork.app)
    const body = await signedPayment(service, fork)
    const send = () => service.post(sendGaslessTxPath, body, customer(fork.accounts.alice.address))
    let answerAgain = () => {}
    const answering = new Promise<void>((resolve) => {
      answerAgain = resolve
    })
    // The origin supports eth_getAccountInfo, so Anvil's first query makes two requests: the worst case.
    proxy.fate = async () => {
      await answering
      return 'pass' as const
    }
    const from = performance.now()
    expect(await send()).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } })
    expect(performance.now() - from).toBeLessThan(15_000)
    answerAgain()
    expect(await redeemedEvents(base)).toEqual([])
    const { hash } = (await send()).body
    await waitForReceipt(publicClient(base.rpcUrl), hash)
    expect((await send()).body).toEqual({ hash })
    expect(await redeemedEvents(base)).toHaveLength(1)
  } finally {
    await fork.stop()
    await proxy.close()
  }
})
