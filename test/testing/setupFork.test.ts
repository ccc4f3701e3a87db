import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startFork } from '@redeemkit/sandbox/testing'
import { setupFork } from '@redeemkit/sandbox/testing/vitest'
import { erc20Abi } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  safeMintMerchant721Abi as abi,
  safeMintMerchant721Bytecode as bytecode,
} from '../../contracts/generated/merchants.ts'
import { safeMint } from '../../src/redeemkit/evm/index.ts'

const fork = setupFork({ blockchain: 'base' })

const price = 10_000_000n
let shop: `0x${string}`
beforeAll(async () => {
  shop = await fork.deploy({ abi, bytecode, args: [fork.usdc] })
  await fork.whitelist({ target: shop, selector: 'mint(uint256,uint256)' })
})

const purchase = () => ({
  transactionData: safeMint({ to: shop, abi, functionName: 'mint', args: [1n, price] }),
  amount: price,
})

const usdcOf = (wallet: `0x${string}`) =>
  fork.client.readContract({ address: fork.usdc, abi: erc20Abi, functionName: 'balanceOf', args: [wallet] })

test('a redeem is simulated without changing the chain', async () => {
  const before = await fork.client.getBlockNumber()
  const report = await fork.simulateRedeem(purchase())
  expect(report).toSettle()
  expect(report).toDeliverNft({ contract: shop, id: 1n })
  expect(await fork.client.getBlockNumber()).toBe(before)
  expect(await usdcOf(shop)).toBe(0n)
})

test('a redeem with a USDC part is sent and reported', async () => {
  const { alice } = fork.accounts
  const report = await fork.redeem({ ...purchase(), usdcAmount: 4_000_000n })
  expect(report).toSettle()
  expect(report).toDeliverNft({ contract: shop, id: 1n, to: alice.address })
  expect(report.redeem.hash).toMatch(/^0x[0-9a-f]{64}$/)
  expect(await usdcOf(alice.address)).toBe(996_000_000n)
  expect(await usdcOf(shop)).toBe(price)
})

test('a redeem that reverts is sent and reported too', async () => {
  await fork.whitelist({ target: shop, selector: 'mint(uint256,uint256)', allowed: false })
  const report = await fork.redeem(purchase())
  expect(report).not.toSettle()
  expect(report.redeem.hash).toBeDefined()
  expect(report).toRevertWith('NotWhitelisted')
})

test('two equal redeems at the same time are two redeems', async () => {
  const reports = await Promise.all([fork.redeem(purchase()), fork.redeem(purchase())])
  for (const report of reports) expect(report).toSettle()
  expect(await usdcOf(shop)).toBe(2n * price)
})

test('another customer can pay, and a customer without a key is impersonated', async () => {
  const { bob } = fork.accounts
  expect(await fork.redeem({ ...purchase(), customer: bob })).toDeliverNft({
    contract: shop,
    to: bob.address,
  })
  const address = '0x00000000000000000000000000000000000b0b01'
  await fork.fund({ wallet: address, credits: price })
  expect(await fork.simulateRedeem({ ...purchase(), customer: { address } })).toSettle()
})

test('an account gets USDC, credits and coin', async () => {
  const { carol } = fork.accounts
  await fork.fund({ wallet: carol.address, usdc: 5n, coin: 7n })
  expect(await usdcOf(carol.address)).toBe(1_000_000_005n)
  expect(await fork.client.getBalance({ address: carol.address })).toBe(7n)
})

test('other programs reach the chain over HTTP', async () => {
  const answer = await fetch(fork.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }),
  })
  expect(await answer.json()).toMatchObject({ result: '0x14a34' })
})

test('a snapshot can be restored repeatedly', async () => {
  const start = await fork.snapshot()
  for (let turn = 0; turn < 2; turn++) {
    await fork.redeem(purchase())
    await fork.revert(start)
    expect(await usdcOf(shop)).toBe(0n)
  }
})

test('a snapshot that was taken after the restored one is reported as missing', async () => {
  const first = await fork.snapshot()
  const second = await fork.snapshot()
  await fork.revert(first)
  await expect(fork.revert(second)).rejects.toMatchObject({ name: 'UnknownSnapshotError' })
})

describe('the chain after a test', () => {
  const stranger = '0x00000000000000000000000000000000deadbeef'
  let block: bigint
  let baseFee: bigint | null

  test('is changed in every respect by this test', async () => {
    const { client, accounts } = fork
    const pending = await client.getBlock({ blockTag: 'pending' })
    block = await client.getBlockNumber()
    baseFee = pending.baseFeePerGas
    await fork.fund({ wallet: accounts.alice.address, coin: 10n ** 18n })
    await fork.redeem(purchase())
    await fork.increaseTime(1_000_000)
    await client.setNextBlockBaseFeePerGas({ baseFeePerGas: 10n ** 12n })
    await client.setCoinbase({ address: stranger })
    await client.setBlockTimestampInterval({ interval: 500 })
    await client.impersonateAccount({ address: stranger })
    // viem's list of methods does not have it
    await client.request({ method: 'anvil_autoImpersonateAccount', params: [true] } as never)
    await client.setAutomine(false)
    await client.sendTransaction({
      account: accounts.alice.account,
      to: stranger,
      value: 1n,
      gas: 21_000n,
      maxFeePerGas: 10n ** 13n,
    })
    // Not awaited on purpose.
    for (let turn = 0; turn < 5; turn++)
      client.sendTransaction({ account: accounts.alice.account, to: stranger, value: 1n }).catch(() => {})
  })

  test('is reset for the next: blocks, balances, pending transactions', async () => {
    const { client } = fork
    expect(await client.getBlockNumber()).toBe(block)
    expect(await client.getTxpoolStatus()).toEqual({ pending: 0, queued: 0 })
    expect(await client.getBalance({ address: stranger })).toBe(0n)
    expect(await usdcOf(shop)).toBe(0n)
  })

  test('is reset: the clock, the base fee, the mining mode, impersonated accounts', async () => {
    const { client } = fork
    const { timestamp, baseFeePerGas, miner } = await client.getBlock({ blockTag: 'pending' })
    expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(5)
    expect([baseFeePerGas, miner]).toEqual([baseFee, `0x${'0'.repeat(40)}`])
    expect(await client.getAutomine()).toBe(true)
    const from = { from: stranger, to: stranger, gas: '0x5208', maxFeePerGas: '0xe8d4a51000' }
    await client.setBalance({ address: stranger, value: 10n ** 20n })
    await expect(client.request({ method: 'eth_sendTransaction', params: [from] } as never)).rejects.toThrow(
      /No Signer/,
    )
    expect(await fork.redeem(purchase())).toSettle()
  })
})

test('a redeem still succeeds after time travel', async () => {
  await fork.increaseTime(30 * 86_400)
  expect(await fork.redeem({ ...purchase(), usdcAmount: 1n })).toSettle()
})

test('a redeem still succeeds after moving the clock without mining a block', async () => {
  await fork.client.increaseTime({ seconds: 86_400 })
  expect(await fork.simulateRedeem({ ...purchase(), usdcAmount: 1n })).toSettle()
  await fork.client.increaseTime({ seconds: 86_400 })
  expect(await fork.redeem({ ...purchase(), usdcAmount: 1n })).toSettle()
  const { timestamp } = await fork.client.getBlock()
  expect(Number(timestamp) - Date.now() / 1000).toBeGreaterThan(2 * 86_400 - 10)
})

test.each([
  [{ target: '0x1' }, 'InvalidAddressError'],
  [{ target: fork0(), selecter: 'buy()' }, 'InvalidOptionError'],
  [{ target: fork0(), selector: 'buy(address' }, 'InvalidOptionError'],
])('whitelist refuses %j', async (entry, name) => {
  // Plain JavaScript can call it like this.
  await expect(fork.whitelist(entry as never)).rejects.toMatchObject({ name })
})

function fork0(): string {
  return '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
}

test('amounts in dollars, as plain numbers, are refused', async () => {
  // Plain JavaScript can call it like this.
  const redeem = { ...purchase(), amount: 10 } as never
  await expect(fork.simulateRedeem(redeem)).rejects.toMatchObject({
    name: 'InvalidOptionError',
    field: 'amount',
  })
})

test.each(['0x', { object: '0x' }, null as never])(
  'a contract with %j as its bytecode is refused',
  async (bytecode) => {
    await expect(fork.deploy({ abi, bytecode })).rejects.toMatchObject({ field: 'bytecode' })
  },
)

test('the first contract on a fresh chain can store the time of its block', async () => {
  const fresh = await startFork({ blockchain: 'base' })
  try {
    // TIMESTAMP PUSH0 SSTORE, then empty code
    await expect(fresh.deploy({ abi: [], bytecode: '0x425f555f5ff3' })).resolves.toMatch(/^0x/)
  } finally {
    await fresh.stop()
  }
})

/** Runs Vitest on the files of `runs/`, whose tests must fail. */
describe('the error of a wrong test', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  let report: Report
  beforeAll(async () => {
    const vitest = `${root}node_modules/vitest/vitest.mjs`
    const config = `${root}test/testing/runs/vitest.ts`
    const { VITEST: _, VITEST_WORKER_ID: __, ...env } = process.env
    const folder = await mkdtemp(join(tmpdir(), 'redeemkit-report-'))
    const file = join(folder, 'report.json')
    await promisify(execFile)(
      process.execPath,
      [vitest, 'run', '--config', config, '--reporter', 'json', '--outputFile', file],
      { cwd: root, env, maxBuffer: 10_000_000 },
      // Vitest exits with 1, because these tests fail as intended.
    ).catch(() => {})
    report = JSON.parse(await readFile(file, 'utf8'))
    await rm(folder, { recursive: true })
  })

  type Report = {
    testResults: {
      name: string
      message: string
      assertionResults: { title: string; status: string; failureMessages: string[] }[]
    }[]
  }

  function resultOf(title: string) {
    const found = report.testResults
      .flatMap((file) => file.assertionResults)
      .find((one) => one.title === title)
    return { status: found?.status, said: found?.failureMessages.join('\n') ?? '' }
  }

  test.each([
    ['throws', /^Error: in the middle/],
    ['cannot be restored', /snapshot does not exist/],
    ['is the other of two concurrent ones', /Two tests of this file run concurrently[\s\S]*startFork/],
  ])('a test that %s says why', (title, message) => {
    const { status, said } = resultOf(title)
    expect(status).toBe('failed')
    expect(said).toMatch(message)
  })

  test.each([
    'follows one that threw',
    'follows one that took too long',
    'follows one that could not be restored',
    'is one of two concurrent ones',
    'follows two concurrent ones',
  ])('a test that %s is not affected', (title) => {
    expect(resultOf(title)).toEqual({ status: 'passed', said: '' })
  })

  test('reading a chain before it runs is an error that says where to read it', () => {
    const file = report.testResults.find(({ name }) => name.endsWith('outside.run.ts'))
    expect(file?.message).toMatch(/fork\.usdc was read while no chain is running[\s\S]*Read it in a test/)
  })
})
