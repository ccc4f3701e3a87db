import { type RunningSandbox, startSandbox, testCards } from '@redeemkit/sandbox'
import { createMerchantClient, type MerchantClient } from 'redeemkit/merchant'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { payOut, type Seller, saveAccount, verifyBusiness } from './withdraw.ts'

let sandbox: RunningSandbox
let merchant: MerchantClient
beforeAll(async () => {
  sandbox = await startSandbox({ bridge: false, settings: { chargebackProtection: false } })
  const { url: baseUrl, merchantId, apiKey } = sandbox
  merchant = createMerchantClient({ baseUrl, merchantId, apiKey })
})
afterAll(() => sandbox?.stop())

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
