import { type RunningSandbox, startSandbox, testCards } from '@redeemkit/sandbox'
import { createMerchantClient, type MerchantClient } from 'redeemkit/merchant'
import type { WebhookEvent } from 'redeemkit/schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { subscribe, updateAccess } from './subscribe.ts'

let sandbox: RunningSandbox
let merchant: MerchantClient
beforeAll(async () => {
  const amount = { cents: 990, currency: 'USD' } as const
  sandbox = await startSandbox({
    bridge: false,
    plans: [{ code: 'gold', name: 'Gold', interval: 'Monthly', amount }],
  })
  const { url: baseUrl, merchantId, apiKey } = sandbox
  merchant = createMerchantClient({ baseUrl, merchantId, apiKey })
})
afterAll(() => sandbox?.stop())

test('access follows the state of the subscription, regardless of the order of events', async () => {
  const body = { ...testCards.approved, expMonth: '12', expYear: '2039' }
  const { token: cardToken } = await merchant.tokenizeCard({ body })
  const wallet = sandbox.accounts.alice.address
  const id = await subscribe(merchant, {
    userId: 'ada',
    wallet,
    deviceId: 'a phone',
    planCode: 'gold',
    cardToken,
  })

  const access = new Map<string, boolean>()
  const receive = (event: WebhookEvent) =>
    updateAccess(merchant, {
      event,
      setAccess: async (subscriptionId, open) => {
        access.set(subscriptionId, open)
      },
    })
  const headers = { authorization: sandbox.apiKey }
  const events = async (): Promise<WebhookEvent[]> => {
    const answer = await fetch(`${sandbox.url}/sandbox/webhooks/events?type=subscription.*`, { headers })
    return (await answer.json()).events
  }

  for (const event of await events()) await receive(event)
  expect([...access]).toEqual([[id, true]])

  const url = `${sandbox.url}/sandbox/subscription/subscribers/${id}/cancel`
  expect((await fetch(url, { method: 'POST', headers })).status).toBe(200)
  const all = await events() // newest first: the purchase comes last
  expect(all.length).toBeGreaterThan(1)
  for (const event of all) await receive(event)
  expect([...access]).toEqual([[id, false]])
})
