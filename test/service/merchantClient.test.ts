import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { createPaymentsClient, getBalances } from 'redeemkit'
import {
  createMerchantClient,
  createMerchantHandler,
  type MerchantCallName,
  type MerchantClient,
  signDestinationAuthKey,
} from 'redeemkit/merchant'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RunningSandbox, startSandbox, testCards } from '../../src/sandbox/index.ts'
import { withoutProtection } from '../../src/sandbox/service/service.fixture.ts'
import { caller, signedBody } from './sandboxClient.ts'

/** Makes every call of the merchant's client to the local service. */

const jwtSecret = 'the secret of the shop, 32 characters'
const subtotal = { cents: 1000 }
let sandbox: RunningSandbox
let client: MerchantClient
let alice: { wallet: string; blockchain: 'base' }
let session: { sessionKey: string }

beforeAll(async () => {
  const amount = { cents: 990, currency: 'USD' } as const
  const plan = { name: 'Gold', interval: 'Monthly', amount, settlementChain: 'base' } as const
  sandbox = await startSandbox({
    blockchain: 'base',
    bridge: false,
    jwtSecret,
    settings: withoutProtection,
    plans: [
      { ...plan, code: 'gold' },
      { ...plan, code: 'on-request', merchantInitiated: true },
    ],
  })
  client = createMerchantClient({
    baseUrl: sandbox.url,
    apiKey: sandbox.apiKey,
    merchantId: sandbox.merchantId,
    fetch: (url, init) => sandbox.app.request(url, init),
  })
  alice = { wallet: sandbox.accounts.alice.address, blockchain: 'base' }
  session = { sessionKey: (await client.getSessionKey({ ...alice, userId: 'alice' })).key }
})
afterAll(() => sandbox?.stop())

const nobody = () => privateKeyToAccount(generatePrivateKey()).address
/** Actions that only the sandbox has, such as opening a dispute. */
const happen = async (path: string, body: object) => {
  const { body: answer } = await caller(sandbox.app).post(`/sandbox/${path}`, body, {
    authorization: sandbox.apiKey,
  })
  return answer
}
const cardToken = async () => {
  const body = { ...testCards.approved, expMonth: '12', expYear: '2039' }
  return (await client.tokenizeCard({ body })).token
}
const buy = async (more: object = {}) => {
  const body = { subtotal, card: { cardToken: await cardToken() }, ...more }
  return client.cardCheckout({ ...session, body })
}
/** A new customer buys a plan. */
const subscribe = async (planCode: string) => {
  const { key: sessionKey } = await client.getSessionKey({ userId: `user ${nobody()}` })
  const body = { planCode, token: await cardToken() }
  const bought = await client.purchaseSubscription({ sessionKey, ...alice, body })
  // Other services return a string here.
  const id = typeof bought === 'object' ? bought.subscriptionId : String(bought)
  return { id, sessionKey }
}
const jobDone = async (jobId: string | number) => {
  await expect
    .poll(async () => (await client.getJobStatus({ jobId })).status, { timeout: 10_000 })
    .not.toBe('pending')
  return client.getJobStatus({ jobId })
}
const redeem = (to: string) => ({
  merchantId: sandbox.merchantId,
  subtotal,
  transactionData: { type: 'token' as const, destination: to as `0x${string}` },
})

/** Responses of the local service, by call. */
const answered: Record<MerchantCallName, () => Promise<void>> = {
  getAuthMessage: async () => {
    expect((await client.getAuthMessage(alice)).message).toContain(alice.wallet)
  },
  verifyAuth: async () => {
    const { message } = await client.getAuthMessage(alice)
    const signedMessage = await sandbox.accounts.alice.account.signMessage({ message })
    await client.verifyAuth({ ...alice, signedMessage })
    await expect(client.verifyAuth({ ...alice, signedMessage: '0x00' })).rejects.toMatchObject({
      status: 401,
    })
  },
  getSessionKey: async () => {
    expect((await client.getSessionKey({ userId: 'bob' })).key).not.toBe(session.sessionKey)
  },
  creditsAuthMsg: async () => {
    const { merchantId: _, ...body } = redeem(nobody())
    expect((await client.creditsAuthMsg({ ...alice, body })).message).toContain('CreditsAuthorization')
  },
  sendGaslessTx: async () => {
    const body = await signedBody(caller(sandbox.app), {
      request: redeem(nobody()),
      key: sandbox.accounts.alice.account,
    })
    const { hash } = await client.sendGaslessTx({ ...alice, body })
    expect(await client.sendGaslessTx({ ...alice, body })).toMatchObject({ hash })
  },
  createCheckoutJwt: async () => {
    const pinned = { purchaseId: 'order 7', subtotal, settlementType: 'Credits' } as const
    const body = { ...pinned, webhookInfo: { order: 7 } }
    const { checkoutJwtToken: jwtToken } = await client.createCheckoutJwt({ body })
    await expect(buy({ jwtToken, subtotal: { cents: 1 } })).rejects.toMatchObject({ status: 403 })
    const { paymentId } = await client.cardCheckout({
      ...session,
      ...alice,
      body: { subtotal, jwtToken, card: { cardToken: await cardToken() } },
    })
    expect(await client.getPayment({ paymentId })).toMatchObject({ webhookInfo: { order: 7 } })
  },
  tokenizeCard: async () => {
    const body = { ...testCards.approved, expMonth: '12', expYear: '2039' }
    expect(await client.tokenizeCard({ body })).toMatchObject({ lastFour: '0012', success: true })
  },
  cardCheckout: async () => {
    expect(await buy()).toMatchObject({ status: 'settled' })
  },
  wireTokenCheckout: async () => {
    const account = { routingNumber: '021000021', accountNumber: '1234567890' }
    const { token } = await happen('wire-accounts', account)
    const order = await client.wireTokenCheckout({ ...session, ...alice, body: { subtotal, token } })
    expect(order).toMatchObject({ amount: { currency: 'USD' } })
  },
  pixCheckout: async () => {
    const body = { subtotal, email: 'ada@shop.example' }
    const order = await client.pixCheckout({ ...session, ...alice, userId: 'alice', body })
    expect(order.brCode).toContain('br.gov.bcb.pix')
  },
  mobileAppCheckout: async () => {
    const link = await client.mobileAppCheckout({
      ...session,
      ...alice,
      userId: 'alice',
      clientIp: '198.51.100.7',
      body: { subtotal },
    })
    expect(link.appLink).toMatch(/^http/)
  },
  voidPayment: async () => {
    const { paymentId } = await buy({ authOnly: true })
    await client.voidPayment({ body: { paymentId } })
    expect(await client.getPayment({ paymentId })).toMatchObject({ status: 'voided' })
  },
  merchantInitiatedTransaction: async () => {
    const { id: subscriptionId } = await subscribe('on-request')
    await expect(client.merchantInitiatedTransaction({ body: { subscriptionId } })).resolves.toHaveProperty(
      'paymentId',
    )
  },
  usdcAuthorization: async () => {
    const body = { amount: { cents: 400 }, nonce: `0x${'8f'.repeat(32)}` } as const
    const { messageData } = await client.usdcAuthorization({ ...alice, body })
    expect(messageData).toMatchObject({ value: '4000000', nonce: body.nonce })
  },
  getTotals: async () => {
    const totals = await client.getTotals({ ...session, body: { subtotal } })
    expect(totals.card?.total.cents).toBeGreaterThanOrEqual(1000)
  },
  zeroAuthorization: async () => {
    const body = { card: { cardToken: await cardToken() } }
    expect((await client.zeroAuthorization({ ...session, body })).token).toBeTypeOf('string')
  },
  savedCardCheckout: async () => {
    const { token = '' } = await client.zeroAuthorization({
      ...session,
      body: { card: { cardToken: await cardToken() } },
    })
    const paid = await client.savedCardCheckout({ ...session, body: { subtotal, token } })
    expect(paid).toMatchObject({ status: 'settled' })
  },
  cardOnFileCheckout: async () => {
    const { paymentId: originalPaymentId } = await buy()
    const { userId = '' } = await client.getPayment({ paymentId: originalPaymentId })
    const paid = await client.cardOnFileCheckout({ userId, body: { subtotal, originalPaymentId } })
    expect(paid).toMatchObject({ status: 'settled' })
  },
  getBalances: async () => {
    const { credits } = await client.getBalances(alice)
    expect(credits.cents).toBeGreaterThan(0)
  },
  getSavedCards: async () => {
    await client.zeroAuthorization({ ...session, body: { card: { cardToken: await cardToken() } } })
    expect((await client.getSavedCards(session)).at(0)).toMatchObject({ lastFour: '0012' })
  },
  getPurchases: async () => {
    const { paymentId } = await buy()
    const { purchases } = await client.getPurchases({ ...session, query: { limit: '1' } })
    expect(purchases).toMatchObject([{ paymentId }])
  },
  getPlans: async () => {
    expect((await client.getPlans({ ...session, ...alice })).map(({ code }) => code)).toContain('gold')
  },
  getCustomerSubscriptions: async () => {
    const { id, sessionKey } = await subscribe('gold')
    expect(await client.getCustomerSubscriptions({ sessionKey, ...alice })).toMatchObject([{ id }])
  },
  purchaseSubscription: async () => {
    expect((await subscribe('gold')).id).toBeTypeOf('string')
  },
  getPlanSubscribers: async () => {
    const { id } = await subscribe('gold')
    expect((await client.getPlanSubscribers({ planId: 'gold' })).map((one) => one.id)).toContain(id)
  },
  getPayment: async () => {
    const { paymentId } = await buy()
    expect(await client.getPayment({ paymentId })).toMatchObject({ paymentId, userId: 'alice' })
  },
  mintCredits: async () => {
    const body = { ...alice, amount: { cents: 100 }, idempotencyKey: 'mint 1' }
    const { jobId } = await client.mintCredits({ body })
    expect(await client.mintCredits({ body })).toEqual({ jobId })
    expect(await jobDone(jobId)).toMatchObject({ status: 'completed' })
  },
  burnCredits: async () => {
    const { jobId } = await client.burnCredits({ body: { ...alice, amount: { cents: 100 } } })
    expect(await jobDone(jobId)).toMatchObject({ status: 'completed' })
  },
  getJobStatus: async () => {
    await expect(client.getJobStatus({ jobId: 'none' })).rejects.toMatchObject({ name: 'NotFoundError' })
  },
  requestWhitelist: async () => {
    const programId = nobody()
    await client.requestWhitelist({ body: { blockchain: 'base', programId } })
  },
  respondToChargeback: async () => {
    const { paymentId } = await buy()
    await happen(`payments/${paymentId}/dispute`, { reason: 'not mine' })
    await client.respondToChargeback({ paymentId, body: { response: 'It was delivered.' } })
  },
  refundPayment: async () => {
    const { paymentId } = await buy()
    const body = { partialAmount: { cents: 400 }, idempotencyKey: 'refund 1' }
    const { id } = await client.refundPayment({ paymentId, body })
    expect(await client.refundPayment({ paymentId, body })).toMatchObject({ id, amount: { cents: 400 } })
  },
  getRefunds: async () => {
    const { paymentId } = await buy()
    await client.refundPayment({ paymentId })
    expect(await client.getRefunds({ paymentId })).toMatchObject([{ amount: { cents: 1000 } }])
  },
  withdrawUsdc: async () => {
    await buy()
    const body = { destination: nobody(), amount: { cents: 100 } }
    expect((await client.withdrawUsdc({ body })).transaction).toMatch(/^0x/)
  },
  validateKyc: async () => {
    const body = { firstName: 'Ada', lastName: 'Lovelace' }
    expect(await client.validateKyc({ userId: 'ada', body })).toBeNull()
    await happen('kyc-records', { userId: 'ada', ...body })
    expect(await client.validateKyc({ userId: 'ada', body })).toMatchObject({ valid: true })
  },
  createIban: async () => {
    const body = { number: 'DE89370400440532013000' }
    expect(await client.createIban({ ...session, ...alice, userId: 'alice', body })).toMatch(/^iban_/)
  },
  registerBusiness: async () => {
    const body = { merchantId: sandbox.merchantId, country: 'DE', email: 'ada@engines.example' }
    const refused = client.registerBusiness({ ...session, ...alice, userId: 'alice', body })
    await expect(refused).rejects.toMatchObject({
      status: 451,
      verificationLink: expect.stringMatching(/^http/),
    })
  },
  getContractAddress: async () => {
    const { address } = await client.getContractAddress({ query: { blockchain: 'base' } })
    expect(address).toBe(sandbox.chains.base?.creditsContract)
  },
}

describe('a merchant’s client at the local service', () => {
  test.each(Object.entries(answered))('%s', async (_, ask) => {
    await ask()
  })

  test('a payment settles to the receiver that the merchant signed', async () => {
    const destination = nobody()
    const destinationAuthKey = await signDestinationAuthKey({ address: destination, secret: jwtSecret })
    const purchaseId = 'order 8'
    const body = { purchaseId, subtotal, settlementType: 'USDC', destinationAuthKey } as const
    const { checkoutJwtToken: jwtToken } = await client.createCheckoutJwt({ body })
    await client.cardCheckout({
      ...session,
      ...alice,
      body: { subtotal, jwtToken, card: { cardToken: await cardToken() } },
    })
    const usdc = async () =>
      (await client.getBalances({ wallet: destination, blockchain: 'base' })).usdc.cents
    await expect.poll(usdc, { timeout: 10_000 }).toBe(1000)
  })

  test('the key of another merchant is rejected, and not revealed', async () => {
    const apiKey = 'sk_of_somebody_else_0123456789'
    const other = createMerchantClient({
      baseUrl: sandbox.url,
      merchantId: 'other',
      apiKey,
      fetch: (url, init) => sandbox.app.request(url, init),
    })
    const error = await other.getPayment({ paymentId: 'p' }).catch((cause: unknown) => cause)
    expect(error).toMatchObject({ name: 'UnauthenticatedError' })
    expect(JSON.stringify(error) + String(error)).not.toContain(apiKey)
  })
})

describe('a merchant’s handler on its own server', () => {
  let url: string
  let close: () => void

  beforeAll(async () => {
    const handler = createMerchantHandler({
      client,
      authenticate: (request) =>
        request.headers.get('cookie') === 'session=alice' ? { userId: 'alice', ...alice } : null,
      expose: { getSessionKey: true, getPurchases: true },
    })
    const server = createServer(getRequestListener(handler))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/redeemkit` // it listens on TCP, so the address is an object
    close = () => server.close()
  })
  afterAll(() => close?.())

  const ask = (call: string, headers: Record<string, string> = {}) =>
    fetch(`${url}/${call}`, { headers: { cookie: 'session=alice', ...headers } })

  test('gives the front end’s client its session key', async () => {
    const page = createPaymentsClient({
      baseUrl: sandbox.url,
      merchantId: sandbox.merchantId,
      ...alice,
      sessionKey: async () => {
        const answer = await ask('getSessionKey')
        const { key } = await answer.json()
        return key
      },
      fetch: (address, init) => {
        expect(new Headers(init.headers).get('x-svc-auth-session-key')).toMatch(/^eyJ/)
        return sandbox.app.request(address, init)
      },
    })
    expect((await getBalances(page)).credits.cents).toBeGreaterThan(0)
  })

  test('reads under the user’s session', async () => {
    await buy()
    const answer = await ask('getPurchases?limit=1')
    expect(answer.status).toBe(200)
    expect((await answer.json()).purchases).toHaveLength(1)
  })

  test('rejects every other caller', async () => {
    expect((await ask('getPurchases', { cookie: 'session=mallory' })).status).toBe(401)
    expect((await ask('getPurchases', { origin: 'https://evil.example' })).status).toBe(403)
  })
})
