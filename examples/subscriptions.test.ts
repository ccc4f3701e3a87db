import { type RunningSandbox, startSandbox, testCards } from '@redeemkit/sandbox'
import { createMerchantClient, type MerchantClient } from 'redeemkit/merchant'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { subscribe } from './subscriptions.ts'

const plan = {
  code: 'gold',
  name: 'Gold',
  interval: 'Monthly',
  amount: { cents: 990, currency: 'USD' },
} as const
const aMonth = 31 * 86_400 // seconds

let sandbox: RunningSandbox
let merchant: MerchantClient
beforeAll(async () => {
  sandbox = await startSandbox({ plans: [plan] })
  const { url: baseUrl, merchantId, apiKey } = sandbox
  merchant = createMerchantClient({ baseUrl, merchantId, apiKey })
})
afterAll(() => sandbox?.stop())

async function join(userId: string, card: keyof typeof testCards): Promise<void> {
  const { token: cardToken } = await merchant.tokenizeCard({
    body: { ...testCards[card], expMonth: '12', expYear: '2039' },
  })
  const wallet = sandbox.accounts.alice.address
  await subscribe(merchant, { userId, wallet, deviceId: 'a phone', planCode: 'gold', cardToken })
}

async function statusOf(userId: string) {
  const all = await merchant.getPlanSubscribers({ planId: 'gold' })
  return all.find(({ customerId }) => customerId === userId)?.status
}

async function paymentsOf(userId: string) {
  const { key: sessionKey } = await merchant.getSessionKey({ userId }) // valid for 24 hours only
  const { purchases } = await merchant.getPurchases({ sessionKey })
  return purchases.map(({ status, subtotal }) => [status, subtotal.cents])
}

test('a month later the card is charged again', async () => {
  await join('ada', 'approved')
  expect(await paymentsOf('ada')).toEqual([['settled', 990]])
  await sandbox.increaseTime(aMonth)
  await expect.poll(() => paymentsOf('ada')).toHaveLength(2)
  expect(await statusOf('ada')).toBe('Active')
})

test('a card that is declined a month later makes the subscription fail', async () => {
  await join('bob', 'declinedLater')
  expect(await statusOf('bob')).toBe('Active')
  await sandbox.increaseTime(aMonth)
  await expect.poll(() => statusOf('bob')).toBe('Failed')
})
