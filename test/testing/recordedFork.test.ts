import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Fork, startFork } from '@redeemkit/sandbox/testing'
import '@redeemkit/sandbox/testing/vitest'
import { custom, encodeFunctionData, erc20Abi } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { mockUsdcAbi } from '../../contracts/generated/MockUsdc.ts'
import {
  normalMerchantAbi as abi,
  normalMerchantBytecode as bytecode,
} from '../../contracts/generated/merchants.ts'
import { normal, usdcToken } from '../../src/redeemkit/evm/index.ts'
import { anvilRpc } from '../../src/sandbox/chains/anvil/anvilRpc.ts'
import { prepareUsdc } from '../../src/sandbox/chains/anvil/prepareUsdc.ts'
import { startAnvil } from '../../src/sandbox/chains/anvil/startAnvil.ts'
import { devAccount } from '../../src/sandbox/devAccounts.ts'

/** An account with USDC on the real chain. A second local chain stands in for the real chain. */
const whale = '0x00000000000000000000000000000000000a1e00'
const price = 10_000_000n

let folder: string
let origin: Awaited<ReturnType<typeof startAnvil>>
/** A recording that the tests share, because recording takes seconds, and the result of its run. */
let recording: string
let recorded: Awaited<ReturnType<typeof runFork>>
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'redeemkit-record-'))
  origin = await startAnvil({ chainId: 84532 })
  const mint = await prepareUsdc(anvilRpc(custom(origin, { retryCount: 0 })), { chainId: 84532 })
  await mint(whale, 123n)
  recording = join(folder, 'recording.json')
  recorded = await runFork({ forkUrl: `${origin.url}/?key=verysecretkey`, record: recording })
})
afterAll(async () => {
  await origin?.stop()
  rmSync(folder, { recursive: true, force: true })
})

let file: string
let files = 0
beforeEach(() => {
  file = join(folder, `fork-${++files}.json`)
})
const copyRecording = () => copyFileSync(recording, file)

/** Runs a typical suite: deploys a contract, redeems, reads the real chain's state, and reverts. */
async function workOn(fork: Fork, before: (fork: Fork) => Promise<void> = async () => {}) {
  const shop = await fork.deploy({ abi, bytecode, args: [fork.usdc] })
  await fork.whitelist({ target: shop })
  const start = await fork.snapshot()
  const results = []
  const accounts = [whale, shop, fork.accounts.alice.address] as const
  for (let turn = 0; turn < 2; turn++) {
    const redeem = {
      transactionData: normal({
        to: shop,
        abi,
        functionName: 'buy',
        args: [fork.accounts.alice.address, price],
      }),
      amount: price,
      usdcAmount: 4_000_000n,
    }
    await before(fork)
    const simulated = await fork.simulateRedeem({ ...redeem, rules: 'economic' })
    const sent = await fork.redeem(redeem)
    expect(simulated).toSettle()
    expect(sent).toSettle()
    const balances = await Promise.all(
      accounts.map((wallet) =>
        fork.client.readContract({
          address: fork.usdc,
          abi: erc20Abi,
          functionName: 'balanceOf',
          args: [wallet],
        }),
      ),
    )
    results.push({
      balances,
      usdc: sent.usdc,
      whitelist: sent.whitelist,
      block: await fork.client.getBlockNumber(),
    })
    await fork.revert(start)
  }
  return results
}

async function runFork(options: startFork.Options, before?: (fork: Fork) => Promise<void>) {
  const fork = await startFork(options)
  try {
    return { results: await workOn(fork, before), calls: fork.callsUpstream(), block: fork.forkBlockNumber }
  } finally {
    await fork.stop()
  }
}

test('a recording runs again without an endpoint, with the same result', async () => {
  copyRecording()
  expect(recorded.calls).toBeGreaterThan(10)
  expect(recorded.results[0]).toMatchObject({ balances: [123n, price, 996_000_000n] })
  expect(await runFork({ record: file })).toEqual({ ...recorded, calls: 0 })
})

test('other changes of the chain before a redeem need no endpoint', async () => {
  copyRecording()
  const again = runFork({ record: file }, async (fork) => {
    await fork.fund({ wallet: fork.accounts.bob.address, credits: 1n })
    await fork.client.mine({ blocks: 20 })
    await fork.increaseTime(86_400)
  })
  expect(await again).toMatchObject({ calls: 0 })
})

test('an endpoint gets no request for recorded responses', async () => {
  copyRecording()
  const silent = 'http://127.0.0.1:1/key'
  const { block } = recorded
  expect(await runFork({ forkUrl: silent, record: file })).toMatchObject({ calls: 0, block })
})

test('the file is diffable text without the endpoint', () => {
  const text = readFileSync(recording, 'utf8')
  const keys = Object.keys(JSON.parse(text).answers)
  expect(keys.length).toBeGreaterThan(10)
  expect(keys).toEqual([...keys].sort())
  expect(text.split('\n').length).toBeGreaterThan(keys.length)
  expect(text).not.toMatch(/verysecretkey|127\.0\.0\.1|localhost/)
})

test('recording again writes the same file', async () => {
  await runFork({ forkUrl: origin.url, record: file, forkBlockNumber: recorded.block })
  const answers = (path: string) => JSON.parse(readFileSync(path, 'utf8')).answers
  const { 'eth_gasPrice []': _, ...first } = answers(recording)
  expect(answers(file)).toMatchObject(first)
  expect(Object.keys(answers(file))).toEqual(Object.keys(answers(recording)))
})

describe('a recorded file', () => {
  beforeEach(copyRecording)

  test('a missing response is reported by name, for a transaction as well', async () => {
    const fork = await startFork({ record: file })
    try {
      const stranger = '0x00000000000000000000000000000000deadbeef'
      await expect(fork.client.getBalance({ address: stranger })).rejects.toThrow(
        /has no response to eth_get\w+ \["0x00000000000000000000000000000000deadbeef"[\s\S]*Run once with forkUrl/,
      )
      await expect(fork.fund({ wallet: stranger, usdc: 1n })).rejects.toThrow(/has no response to/)
    } finally {
      await fork.stop()
    }
  })

  test('gets a missing response from the endpoint, if one is given, and adds it', async () => {
    const fork = await startFork({ record: file, forkUrl: origin.url })
    const other = '0x00000000000000000000000000000000000b0b02'
    await fork.fund({ wallet: other, usdc: 1n })
    expect(fork.callsUpstream()).toBeGreaterThan(0)
    await fork.stop()
    const again = await startFork({ record: file })
    await again.fund({ wallet: other, usdc: 1n })
    await again.stop()
  })

  test('concurrent processes that add to it lose nothing', async () => {
    const wallets = ['1', '2', '3'].map((digit) => `0x${digit.repeat(40)}` as const)
    const forks = await Promise.all(wallets.map(() => startFork({ record: file, forkUrl: origin.url })))
    await Promise.all(forks.map((fork, place) => fork.client.getBalance({ address: wallets[place] ?? '0x' })))
    await Promise.all(forks.map((fork) => fork.stop()))
    const fork = await startFork({ record: file })
    for (const address of wallets) expect(await fork.client.getBalance({ address })).toBe(0n)
    await fork.stop()
  })

  test.each([
    ['cut off', (text: string) => text.slice(0, text.length / 2), /is not valid JSON/],
    ['empty', () => '', /is not valid JSON/],
    [
      'of another chain',
      (text: string) => text.replace('"chainId": 84532', '"chainId": 8453'),
      /is for chain 8453, not 84532/,
    ],
    [
      'of a later version',
      (text: string) => text.replace('"format": 1', '"format": 2'),
      /has format 2, not 1/,
    ],
    [
      'without a block',
      (text: string) => text.replace(/"blockNumber": "\d+"/, '"blockNumber": 1'),
      /lacks its chain id/,
    ],
  ])('%s is reported, and the file stays unchanged', async (_, change, message) => {
    const changed = change(readFileSync(file, 'utf8'))
    writeFileSync(file, changed)
    for (const forkUrl of [undefined, origin.url])
      await expect(startFork({ record: file, forkUrl })).rejects.toMatchObject({
        name: 'RecordFileError',
        message: expect.stringMatching(message),
      })
    expect(readFileSync(file, 'utf8')).toBe(changed)
  })

  test('of another block is reported', async () => {
    await expect(startFork({ record: file, forkBlockNumber: 1_000 })).rejects.toMatchObject({
      name: 'RecordFileError',
      field: 'forkBlockNumber',
    })
  })
})

describe('an endpoint that fails in the middle of a test', () => {
  const stranger = '0x00000000000000000000000000000000000b0b03'
  /** Responds like the origin, or with `fault`. */
  let fault: ((method: string) => { status?: number; text: string } | undefined) | undefined
  let server: Server
  let forkUrl: string
  beforeAll(async () => {
    server = createServer(async (request, response) => {
      let text = ''
      for await (const chunk of request) text += chunk
      const { method, params } = JSON.parse(text)
      const failed = fault?.(method)
      const honest = async () => {
        const result = await origin.request({ method, params })
        return { status: 200, text: JSON.stringify({ jsonrpc: '2.0', id: 1, result }) }
      }
      const { status = 200, text: answer } = failed ?? (await honest())
      response.writeHead(status).end(answer)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo // a TCP server's address has a port
    forkUrl = `http://127.0.0.1:${port}/v2/verysecretkey`
  })
  afterAll(() => {
    server?.closeAllConnections()
    server?.close()
  })
  beforeEach(() => {
    fault = undefined
  })

  const failure = (code: number, message: string) => ({
    text: JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code, message } }),
  })

  test('is reported without its key, and the chain continues when it responds again', async () => {
    const fork = await startFork({ forkUrl, record: file })
    fault = () => failure(-32000, 'missing trie node 767f8b54 (path )')
    const failed = fork.redeem({
      transactionData: normal({ to: stranger, abi, functionName: 'buy', args: [stranger, price] }),
      amount: price,
    })
    await expect(failed).rejects.toThrow(
      /[Ff]ork origin http:\/\/127\.0\.0\.1:\d+\/… lacks the block or its state \(eth_get\w+, block \d+, [\s\S]*Use an archive node/,
    )
    await expect(failed).rejects.not.toThrow(/verysecretkey/)
    fault = undefined
    // Anvil asks for balance, nonce and code at the same time: the failures of the others may come later.
    await vi.waitFor(async () => {
      fork.takeMissing()
      await fork.fund({ wallet: stranger, usdc: 1n })
    }, 5_000)
    await fork.stop()
    expect(readFileSync(file, 'utf8')).not.toContain('trie')
  })

  test('is retried after a passing error: a limit per second, a proxy', async () => {
    let turn = 0
    const fork = await startFork({ forkUrl })
    const faults = [
      { status: 429, text: 'error code: 1015' },
      failure(-32007, '15/second request limit reached'),
      { status: 502, text: '<html>' },
    ]
    fault = () => faults[turn++]
    await fork.fund({ wallet: stranger, usdc: 1n })
    expect(turn).toBeGreaterThan(faults.length)
    await fork.stop()
  })

  test('with null for a block or a balance is reported, and not recorded', async () => {
    fault = (method) =>
      method === 'eth_getBlockByNumber'
        ? { text: JSON.stringify({ jsonrpc: '2.0', id: 1, result: null }) }
        : undefined
    await expect(startFork({ forkUrl, forkBlockNumber: 1 })).rejects.toMatchObject({
      name: 'ForkOriginError',
      problem: 'missingBlock',
      // The address that the caller passed, not the address of this process's proxy.
      message: expect.stringContaining(new URL(forkUrl).host),
    })
    fault = undefined
    const fork = await startFork({ forkUrl, record: file })
    fault = () => ({ text: JSON.stringify({ jsonrpc: '2.0', id: 1, result: null }) })
    await expect(fork.client.getBalance({ address: stranger })).rejects.toThrow(
      /lacks the block or its state \(eth_get\w+, .*"result\\":null/,
    )
    await fork.stop()
    expect(readFileSync(file, 'utf8')).not.toMatch(/: null/)
  })
})

test('workers that create a file at the same time agree on its block', async () => {
  const options = { record: file, forkUrl: origin.url }
  const [one, other] = [startFork(options), startFork(options)]
  await origin.request({ method: 'evm_mine' })
  const forks = await Promise.all([one, other])
  expect(forks[0]?.forkBlockNumber).toBe(forks[1]?.forkBlockNumber)
  await Promise.all(forks.map((fork) => fork.stop()))
  expect((await runFork(options)).block).toBe(forks[0]?.forkBlockNumber)
})

test('a USDC that is paused, or lacks payments by signature, is reported', async () => {
  const rpc = anvilRpc(custom(origin, { retryCount: 0 }))
  const { address: to } = usdcToken({ chainId: 84532 })
  const call = (functionName: 'pause' | 'unpause') =>
    rpc.send({
      from: devAccount('USDC owner').account.address,
      to,
      data: encodeFunctionData({ abi: mockUsdcAbi, functionName }),
    })
  await call('pause')
  await expect(startFork({ forkUrl: origin.url })).rejects.toMatchObject({
    name: 'ChainSetupError',
    shortMessage: expect.stringContaining('Pausable: paused'),
  })
  await call('unpause')
  const code = await rpc.client.getCode({ address: to })
  // A contract that reverts every call.
  await rpc.setCode(to, '0x5f5ffd')
  await expect(startFork({ forkUrl: origin.url })).rejects.toMatchObject({
    name: 'ChainSetupError',
    shortMessage: expect.stringContaining('no EIP-712 domain'),
  })
  await rpc.setCode(to, code ?? '0x')
})

test.each([
  [{ record: 'nowhere/fork.json' }, 'RecordFileError'],
  [{ record: '' }, 'InvalidOptionError'],
  [{ forkUrl: 'undefined' }, 'InvalidSandboxOptionsError'],
  [{ forkUrl: undefined }, 'InvalidSandboxOptionsError'],
  [{ forkUrl: 'http://127.0.0.1:1/secretkey' }, 'ForkOriginError'],
  [{ forkBlockNumber: 5 }, 'InvalidOptionError'],
  [{ blockchain: 'eth' }, 'ForkOriginError'],
  [{ forkBlockNumber: 9_999 }, 'ForkOriginError'],
  [{ blockchain: 'tempo' }, 'NoUsdcAuthorizationError'],
  [{ forkurl: 'http://127.0.0.1:1' }, 'InvalidOptionError'],
])('%j is refused with %s', async (options, name) => {
  // The last three need an endpoint that responds. Plain JavaScript can pass the misspelt option.
  const isRemote = ['ForkOriginError'].includes(name) && !('forkUrl' in options)
  const given = { ...(isRemote ? { forkUrl: origin.url } : {}), ...options } as startFork.Options
  const failed = startFork(given)
  await expect(failed).rejects.toMatchObject({ name })
  await expect(failed).rejects.not.toThrow(/secretkey/)
})
