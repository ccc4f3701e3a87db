// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { mockShop } from '../wagmi.fixture.ts'
import { checkout } from './checkout.ts'

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
