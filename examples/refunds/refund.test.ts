import { type RunningSandbox, startSandbox, testCards } from '@redeemkit/sandbox'
import { createMerchantClient, type MerchantClient } from 'redeemkit/merchant'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refundPayment, refundRedeem } from './refund.ts'

let sandbox: RunningSandbox
let merchant: MerchantClient
beforeAll(async () => {
  sandbox = await startSandbox({ bridge: false, settings: { chargebackProtection: false } })
  const { url: baseUrl, merchantId, apiKey } = sandbox
  merchant = createMerchantClient({ baseUrl, merchantId, apiKey })
})
afterAll(() => sandbox?.stop())

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
