// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { createMockService } from '../../mock/createMockService.ts'
import { pinned } from '../../redeem/redeem.fixture.ts'
import { chainId, mockShop, otherChainId, wallet, world } from '../wagmi.fixture.ts'
import { checkout, getTotals } from './checkout.ts'

const order = { subtotal: { cents: 1000, currency: 'USD' }, settlementType: 'Credits' } as const

test.each([
  [
    { by: 'pix', email: 'ana@shop.example' },
    { brCode: expect.any(String), quote: { cents: 1010 } },
  ],
  [
    { by: 'wire', token: 'account' },
    { account_number: expect.any(String), amount: { cents: 1000 } },
  ],
  [
    { by: 'mobileApp', handlerUrl: 'https://shop.example/calls/' },
    { appLink: 'https://pay.mock.redeemkit.test/mock-payment-1' },
  ],
] as const)('orders by %j', async (way, answer) => {
  const { config, kit, mock, connect } = mockShop()
  await connect()
  const { by } = way
  await expect(checkout(config, { kit, ...order, ...way })).resolves.toMatchObject({
    by,
    paymentId: 'mock-payment-1',
    ...answer,
  })
  expect(mock.asked).toMatchObject([{ body: order }])
})

test('orders nothing without a wallet', async () => {
  const { config, kit, mock } = mockShop()
  const ordered = checkout(config, { kit, ...order, by: 'wire', token: 'account' })
  await expect(ordered).rejects.toMatchObject({ name: 'WalletNotConnectedError' })
  expect(mock.asked).toEqual([])
})

test('rejects an invalid handler address', async () => {
  const { config, kit, mock, connect } = mockShop()
  await connect()
  const ordered = checkout(config, { kit, ...order, by: 'mobileApp', handlerUrl: 'https://' })
  await expect(ordered).rejects.toMatchObject({ field: 'handlerUrl' })
  expect(mock.asked).toEqual([])
})

test('totals are for the connected wallet, on its chain or the requested chain', async () => {
  const mock = createMockService()
  const asked: (string | null)[][] = []
  const {
    config,
    kit,
    connect,
    wallet: fake,
  } = world({
    kit: {
      sessionKey: 'key',
      userId: 'ana',
      pins: [chainId, otherChainId].map((id) => ({ ...pinned, chainId: id })),
      fetch: (url, init) => {
        const headers = new Headers(init?.headers)
        asked.push(['wallet', 'blockchain'].map((name) => headers.get(`x-svc-auth-${name}`)))
        return mock.fetch(url, init)
      },
    },
  })
  await getTotals(config, { kit, ...order })
  fake.state.chainId = otherChainId
  await connect()
  await getTotals(config, { kit, ...order })
  await getTotals(config, { kit, ...order, chainId })
  expect(asked).toEqual([
    [null, null],
    [wallet, 'eth'],
    [wallet, 'base'],
  ])
})
