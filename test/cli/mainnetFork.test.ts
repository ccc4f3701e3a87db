import { getAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { normalMerchantAbi, normalMerchantBytecode } from '../../contracts/generated/merchants.ts'
import { type RunningSandbox, startAnvil, startSandbox } from '../../src/sandbox/index.ts'
import { runHere } from './runCommand.ts'

/** A contract developer on a fork of a main network: its chain id, its USDC, and still a chain on this machine. */
let origin: Awaited<ReturnType<typeof startAnvil>>
let sandbox: RunningSandbox
let shop: string

beforeAll(async () => {
  origin = await startAnvil({ chainId: 8453 })
  sandbox = await startSandbox({ environment: 'prod', forkUrl: origin.url, bridge: false })
  shop = await sandbox.deploy({
    abi: normalMerchantAbi,
    bytecode: normalMerchantBytecode,
    args: [sandbox.chains.base?.usdc],
  })
})
afterAll(async () => {
  await sandbox?.stop()
  await origin?.stop()
})

const run = (...args: string[]) =>
  runHere(args, { env: { REDEEMKIT_URL: sandbox.url, REDEEMKIT_API_KEY: sandbox.apiKey } })

test('a whitelist request is approved, and a simulation succeeds', async () => {
  const approved = await run('whitelist', 'approve', shop, 'buy(address,uint256)', '--json')
  expect([approved.code, approved.stderr]).toEqual([0, ''])
  expect(JSON.parse(approved.stdout)).toMatchObject({ programId: getAddress(shop), status: 'approved' })
  const tried = await run(
    ...['simulate', '--type', 'normal', '--to', shop, '--amount', '10.00', '--usdc', '4'],
    ...['--sig', 'buy(address,uint256)', '--args', 'alice', '10000000', '--json'],
  )
  expect([tried.code, tried.stderr]).toEqual([0, ''])
  expect(JSON.parse(tried.stdout)).toMatchObject({ verdict: 'ok' })
})

test('the chains are listed, the clock moves, and the dashboard is linked', async () => {
  const { chains } = await (await fetch(`${sandbox.url}/sandbox/chains`)).json()
  expect(chains).toMatchObject([{ blockchain: 'base', environment: 'prod', chainId: 8453 }])
  const moved = await fetch(`${sandbox.url}/sandbox/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ advanceSeconds: 60 }),
  })
  expect(await moved.json()).toMatchObject({ movedSeconds: 60, chains: [{ chainId: 8453 }] })
  expect((await fetch(`${sandbox.url}/dashboard`)).status).toBe(200)
})

test('disabled sandboxControls stay disabled', async () => {
  const plain = await startSandbox({ environment: 'prod', bridge: false, sandboxControls: false })
  try {
    for (const path of ['/sandbox/clock', '/sandbox/chains', '/dashboard'])
      expect((await fetch(`${plain.url}${path}`)).status, path).toBe(404)
  } finally {
    await plain.stop()
  }
})
