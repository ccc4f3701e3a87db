// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { chainId, hash, purchase, wallet, world } from '../wagmi.fixture.ts'
import { prepareRedeem } from './prepareRedeem.ts'
import { redeem } from './redeem.ts'

const prompt = 'wallet eth_signTypedData_v4'

test.each([
  ['credits', {}],
  ['credits and USDC', { usdcAmount: { cents: 400 } }],
])('between the click and the wallet no network is asked: %s', async (_, change) => {
  const { config, kit, asked, connect } = world()
  await connect()
  const request = { kit, ...purchase, ...change }
  const ready = await prepareRedeem(config, request)
  asked.length = 0
  await redeem(config, { ...request, ready })
  expect(asked.slice(0, asked.indexOf(prompt))).toEqual(['wallet eth_accounts', 'wallet eth_chainId'])
})

test('two requests go to the service before the receipt', async () => {
  const { config, kit, asked, connect } = world()
  await connect()
  const ready = await prepareRedeem(config, { kit, ...purchase })
  await redeem(config, { kit, ...purchase, ready })
  expect(asked.filter((call) => call.includes('/'))).toEqual([
    'redeem/evm/creditsAuthMsg',
    'redeem/evm/sendGaslessTx',
  ])
})

test('it says what moved', async () => {
  const { config, kit, connect } = world()
  await connect()
  await expect(redeem(config, { kit, ...purchase })).resolves.toMatchObject({
    wallet,
    chainId,
    hash,
    outcome: { kind: 'token', amount: 10_000_000n },
  })
})

test('what was prepared needs no second look for the wallet', async () => {
  const { config, kit, connect } = world()
  await connect()
  const ready = await prepareRedeem(config, { kit, ...purchase })
  const [connector] = config.connectors
  if (connector !== undefined) connector.getProvider = () => new Promise(() => {})
  await expect(redeem(config, { kit, ...purchase, ready })).resolves.toMatchObject({ hash })
})
