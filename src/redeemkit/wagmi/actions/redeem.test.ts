// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/query-core'
import { expect, test } from 'vitest'
import { chainId, hash, purchase, wallet, world } from '../wagmi.fixture.ts'
import { prepareRedeem, prepareRedeemQueryOptions } from './prepareRedeem.ts'
import { redeem } from './redeem.ts'

const prompt = 'wallet eth_signTypedData_v4'

test.each([
  ['credits', {}],
  ['credits and USDC', { usdcAmount: { cents: 400 } }],
])('between the click and the prompt, no network request is made: %s', async (_, change) => {
  const { config, kit, asked, connect } = world()
  await connect()
  const request = { kit, ...purchase, ...change }
  const ready = await prepareRedeem(config, request)
  asked.length = 0
  await redeem(config, { ...request, ready })
  expect(asked.slice(0, asked.indexOf(prompt))).toEqual(['wallet eth_accounts', 'wallet eth_chainId'])
})

test('the service receives two requests before the receipt', async () => {
  const { config, kit, asked, connect } = world()
  await connect()
  const ready = await prepareRedeem(config, { kit, ...purchase })
  await redeem(config, { kit, ...purchase, ready })
  expect(asked.filter((call) => call.includes('/'))).toEqual([
    'redeem/evm/creditsAuthMsg',
    'redeem/evm/sendGaslessTx',
  ])
})

test('returns the moved amounts', async () => {
  const { config, kit, connect } = world()
  await connect()
  await expect(redeem(config, { kit, ...purchase })).resolves.toMatchObject({
    wallet,
    chainId,
    hash,
    outcome: { kind: 'token', amount: 10_000_000n },
  })
})

test('a prepared redeem does not look up the wallet again', async () => {
  const { config, kit, connect } = world()
  await connect()
  const ready = await prepareRedeem(config, { kit, ...purchase })
  const [connector] = config.connectors
  if (connector !== undefined) connector.getProvider = () => new Promise(() => {})
  await expect(redeem(config, { kit, ...purchase, ready })).resolves.toMatchObject({ hash })
})

test.each(Object.entries({ prepareRedeem, redeem }))(
  '%s with dryRun simulates on the node of the config',
  async (_, act) => {
    const calls = async (dryRun?: boolean) => {
      const { config, kit, asked, connect } = world()
      await connect()
      await act(config, { kit, ...purchase, dryRun })
      return asked.filter((call) => call === 'eth_call').length
    }
    expect(await calls(true)).toBeGreaterThan(await calls())
    await expect(calls({} as never)).rejects.toMatchObject({ field: 'dryRun' })
  },
)

test('with too few credits, no prompt opens, with or without a dry run', async () => {
  const { config, kit, asked, chain, connect } = world()
  await connect()
  chain.credits = 1n
  const checked = prepareRedeem(config, { kit, ...purchase, dryRun: true })
  await expect(checked).rejects.toMatchObject({ name: 'InsufficientFundsError' })
  expect(asked).not.toContain(prompt)
})

test('a button with a dry run does not reuse a check without one', async () => {
  const { config, kit, connect } = world()
  await connect()
  const cache = new QueryClient()
  const options = (dryRun?: boolean) => prepareRedeemQueryOptions(config, { kit, ...purchase, dryRun })
  const checked = await cache.fetchQuery(options())
  expect(cache.getQueryData(options(false).queryKey)).toBe(checked)
  expect(cache.getQueryData(options(true).queryKey)).toBeUndefined()
})

test('with dryRun, a permit that was signed before an outage is used again', async () => {
  const { config, kit, asked, gone, wallet: own, connect } = world()
  await connect()
  const request = { kit, ...purchase, purchaseId: 'order 7', dryRun: true }
  own.state.answers.eth_signTypedData_v4 = (sign) => {
    gone.chain = gone.service = true
    return sign()
  }
  await expect(redeem(config, { ...request, timeoutMs: 1_000 })).rejects.toMatchObject({
    name: 'PartlySignedError',
  })
  gone.chain = gone.service = false
  const ready = await prepareRedeem(config, request)
  expect(ready).toMatchObject({ prompts: [] })
  await redeem(config, { ...request, ready })
  expect(asked.filter((call) => call === prompt)).toHaveLength(1)
})
