import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseRecord } from '../../../redeemkit/schema/parseRecord.ts'
import { webhookEvent } from '../../../redeemkit/schema/webhookEvent.ts'
import { type TestShop, testShop } from '../payments/payments.fixture.ts'

let shop: TestShop

beforeAll(async () => {
  shop = await testShop()
})
afterAll(() => shop?.close())

async function eventsOf(more: object = {}) {
  const cardToken = await shop.tokenOf('approved')
  const { body } = await shop.post(
    '/api/checkout/card/shop',
    { subtotal: { cents: 1000, currency: 'USD' }, card: { cardToken }, ...more },
    await shop.customer('alice'),
  )
  return (await shop.events()).filter(({ data }) => data.paymentId === body.paymentId)
}
const typesOf = async (more: object = {}) => (await eventsOf(more)).map(({ type }) => type)

test('emits one event before settlement if the merchant requests it', async () => {
  await shop.set({ sendPresettleWebhooks: true })
  const events = await eventsOf({ webhookInfo: { order: 7 } })
  expect(events.map(({ type, data }) => [type, data.status])).toEqual([
    ['payment.created', 'created'],
    ['payment.authorized', 'authorized'],
    ['payment.presettle', 'authorized'],
    ['payment.settled', 'settled'],
  ])
  const [, , presettle] = events
  const body = { id: presettle?.id, type: presettle?.type, createdAt: presettle?.createdAt.toISOString() }
  expect(parseRecord(webhookEvent, { ...body, data: presettle?.data })).toMatchObject({
    data: { webhookInfo: { order: 7 } },
  })
})

test('emits none for an authOnly payment, which does not settle', async () => {
  await shop.set({ sendPresettleWebhooks: true })
  expect(await typesOf({ authOnly: true })).toEqual(['payment.created', 'payment.authorized'])
})

test('emits none for another merchant', async () => {
  await shop.set({})
  expect(await typesOf()).not.toContain('payment.presettle')
})
