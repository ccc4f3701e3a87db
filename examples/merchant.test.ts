import { type RunningSandbox, startSandbox, testCards } from '@redeemkit/sandbox'
import { createMerchantClient, type MerchantClient } from 'redeemkit/merchant'
import type { WebhookEvent } from 'redeemkit/schema'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { refundPayment, refundRedeem } from './refunds.ts'
import { subscribe, updateAccess } from './subscriptions.ts'
import { payOut, type Seller, saveAccount, verifyBusiness } from './withdraw-with-kyc.ts'

let sandbox: RunningSandbox
let merchant: MerchantClient
beforeAll(async () => {
  sandbox = await startSandbox({ bridge: false, settings: { chargebackProtection: false } })
  const { url: baseUrl, merchantId, apiKey } = sandbox
  merchant = createMerchantClient({ baseUrl, merchantId, apiKey })
})
afterAll(() => sandbox?.stop())

describe('refunds', () => {
  /** Pays $10.00 by card. */
  async function pay(): Promise<string> {
    const { key: sessionKey } = await merchant.getSessionKey({ userId: 'alice' })
    const card = { ...testCards.approved, expMonth: '12', expYear: '2039' }
    const { token: cardToken } = await merchant.tokenizeCard({ body: card })
    const subtotal = { cents: 1000, currency: 'USD' } as const
    return (await merchant.cardCheckout({ sessionKey, body: { subtotal, card: { cardToken } } })).paymentId
  }

  test('a payment is refunded in part, then in full, and no refund is made twice', async () => {
    const paymentId = await pay()
    for (const refund of [
      { id: 'refund 1', paymentId, cents: 400 },
      { id: 'refund 2', paymentId },
    ]) {
      expect(await refundPayment(merchant, refund)).toBe('completed')
      expect(await refundPayment(merchant, refund)).toBe('completed')
    }
    const refunds = await merchant.getRefunds({ paymentId })
    expect(refunds.map(({ amount }) => amount.cents).sort()).toEqual([400, 600])
    await expect(refundPayment(merchant, { id: 'refund 3', paymentId })).rejects.toMatchObject({
      code: 'PAYMENT_STATE',
    })
  })

  test('a redeem is refunded in credits, once', async () => {
    const { address: wallet } = sandbox.accounts.bob
    const refund = { id: 'refund 4', wallet, blockchain: 'base', cents: 250 } as const
    const credits = async () => (await merchant.getBalances({ wallet, blockchain: 'base' })).credits.cents
    const before = await credits()
    await expect.poll(() => refundRedeem(merchant, refund), { timeout: 10_000 }).toBe('completed')
    expect(await refundRedeem(merchant, refund)).toBe('completed')
    expect(await credits()).toBe(before + 250)
  })
})

describe('withdraw-with-kyc', () => {
  const newSeller = (userId: string): Seller => ({
    userId,
    wallet: privateKeyToAccount(generatePrivateKey()).address,
    blockchain: 'base',
  })
  const post = async (url: string, body: object) => {
    const headers = { authorization: sandbox.apiKey, 'content-type': 'application/json' }
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(answer.status).toBe(200)
  }

  test('a 451 response links to the page on which a business is verified', async () => {
    const business = {
      seller: newSeller('business'),
      country: 'DE',
      email: 'ada@engines.example',
      returnTo: 'https://shop.example/verified',
    }
    const asked = await verifyBusiness(merchant, business)
    if (!('link' in asked)) throw new Error('No verification was required.')
    await post(asked.link, { answer: 'approve' })
    expect(await verifyBusiness(merchant, business)).toEqual({ state: 'approved' })
  })

  test('a bank account is saved only for the person who was verified', async () => {
    const seller = newSeller('ada')
    const account = { seller, iban: 'DE89370400440532013000', firstName: 'Ada', lastName: 'Lovelase' }
    await expect(saveAccount(merchant, account)).rejects.toThrow('ada has not been verified')
    const record = { userId: 'ada', firstName: 'Ada', lastName: 'Lovelace' }
    await post(`${sandbox.url}/sandbox/kyc-records`, record)
    // A typo in one letter is tolerated.
    expect(await saveAccount(merchant, account)).toEqual({ token: expect.stringMatching(/^iban_/) })
    expect(await saveAccount(merchant, { ...account, lastName: 'Hopper' })).toEqual({ differs: ['lastName'] })
  })

  test('USDC is paid out once per ID', async () => {
    const { key: sessionKey } = await merchant.getSessionKey({ userId: 'customer' })
    const card = { ...testCards.approved, expMonth: '12', expYear: '2039' }
    const { token: cardToken } = await merchant.tokenizeCard({ body: card })
    const subtotal = { cents: 1000, currency: 'USD' } as const
    await merchant.cardCheckout({ sessionKey, body: { subtotal, card: { cardToken } } })

    const seller = newSeller('seller')
    const first = await payOut(merchant, { id: 'withdrawal 1', seller, cents: 700 })
    expect(await payOut(merchant, { id: 'withdrawal 1', seller, cents: 700 })).toBe(first)
    await expect(payOut(merchant, { id: 'withdrawal 2', seller, cents: 100_000 })).rejects.toMatchObject({
      code: 'INSUFFICIENT_FUNDS',
    })
    const { usdc } = await merchant.getBalances({ wallet: seller.wallet, blockchain: 'base' })
    expect(usdc.cents).toBe(700)
  })
})

describe('subscriptions', () => {
  test('access follows the state of the subscription, regardless of the order of events', async () => {
    const amount = { cents: 990, currency: 'USD' } as const
    const plans = [{ code: 'gold', name: 'Gold', interval: 'Monthly', amount }] as const
    const sandbox = await startSandbox({ bridge: false, plans })
    onTestFinished(() => sandbox.stop())
    const { url: baseUrl, merchantId, apiKey } = sandbox
    const merchant = createMerchantClient({ baseUrl, merchantId, apiKey })
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
})
