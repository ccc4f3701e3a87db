import { createSandbox, testCards } from '@redeemkit/sandbox'
import {
  cardCheckout,
  createPaymentsClient,
  findPayments,
  getPlans,
  getPurchases,
  getSavedCards,
  getTotals,
  type HasSessionKey,
  type PaymentsClient,
  pixCheckout,
  purchaseSubscription,
  savedCardCheckout,
  wireTokenCheckout,
  zeroAuthorization,
} from 'redeemkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withoutProtection } from '../../src/sandbox/service/service.fixture.ts'

/** Makes a page's calls with `redeemkit` at the local service. */

const apiKey = 'sk_test_shop_0123456789'
const authorization = { authorization: apiKey }
const wallet = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const subtotal = { cents: 1250, currency: 'USD' } as const

describe.each(['intentBound', 'randomNonce'] as const)('with the service kind %s', (service) => {
  const sandbox = createSandbox({
    service,
    chains: [],
    merchants: [
      {
        merchantId: 'shop',
        apiKey,
        settings: withoutProtection,
        plans: [{ code: 'gold', name: 'Gold', interval: 'Monthly', amount: { cents: 999, currency: 'USD' } }],
      },
    ],
  })
  const origin = 'http://localhost'
  const ask = async (path: string, headers: Record<string, string>, body?: object) => {
    const init = body
      ? {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(body),
        }
      : { headers }
    const text = await (await sandbox.app.request(`${origin}${path}`, init)).text()
    return text === '' ? {} : JSON.parse(text)
  }
  const keyOf = async (userId: string): Promise<string> =>
    (await ask('/api/auth/session-key', { ...authorization, 'x-svc-auth-user-id': userId })).key
  const clientOf = (userId: string) =>
    createPaymentsClient({
      baseUrl: origin,
      merchantId: 'shop',
      blockchain: 'base',
      wallet,
      userId,
      sessionKey: () => keyOf(userId),
      fetch: (url, init) => sandbox.app.request(url, init),
    })
  const tokenOf = async (card: keyof typeof testCards): Promise<string> => {
    const body = { ...testCards[card], expMonth: '12', expYear: '40' }
    return (await ask('/api/tokenize', authorization, body)).token
  }
  const pay = async (card: keyof typeof testCards, client: PaymentsClient<HasSessionKey> = alice) =>
    cardCheckout(client, { subtotal, card: { cardToken: await tokenOf(card) } })

  let alice: ReturnType<typeof clientOf>
  beforeAll(async () => {
    alice = clientOf('alice')
    // The first response waits for the database.
    await keyOf('alice')
  })
  afterAll(() => sandbox.stop())

  test('totals are shown before a card pays exactly those totals', async () => {
    const { card } = await getTotals(alice, { subtotal })
    const { paymentId, status } = await pay('approved')
    expect(status).toBe('settled')
    const { purchases } = await getPurchases(alice, { limit: 1 })
    expect(purchases).toMatchObject([
      { paymentId, rail: 'card', subtotal, total: { cents: card?.total.cents } },
    ])
  })

  test('a page of purchases starts after the previous page', async () => {
    const bob = clientOf('bob')
    const paid = [await pay('approved', bob), await pay('approved', bob)]
    const first = await getPurchases(bob, { limit: 1 })
    const second = await getPurchases(bob, { limit: 1, after: first.next })
    expect([...first.purchases, ...second.purchases].map(({ paymentId }) => paymentId)).toEqual(
      paid.map(({ paymentId }) => paymentId).reverse(),
    )
  })

  test.each([
    ['declined', 'CARD_DECLINED'],
    ['insufficientFunds', 'CARD_DECLINED'],
    // Other services' bodies do not distinguish these errors, so they are reported as a decline.
    ['fraud', service === 'intentBound' ? 'FRAUD_SUSPECTED' : 'CARD_DECLINED'],
  ] as const)('the card %s is refused, with the payment that failed', async (card, code) => {
    const error: { paymentId: string } = await pay(card).then(
      () => expect.unreachable(),
      (error) => error,
    )
    expect(error).toMatchObject({ status: 402, code, paymentId: expect.stringMatching(/^pay_/) })
    const { purchases } = await getPurchases(alice, { limit: 1 })
    expect(purchases).toMatchObject([{ paymentId: error.paymentId, status: 'failed' }])
  })

  test('a 3DS challenge reaches the page, and the same body pays afterwards', async () => {
    const body: cardCheckout.Body = { subtotal, card: { cardToken: await tokenOf('challenge') } }
    const { challenge } = await cardCheckout(alice, body).then(
      () => expect.unreachable(),
      (error) => error,
    )
    const { transactionId, url } = challenge
    await ask(new URL(url).pathname, {}, { answer: 'approve' })
    const again = { ...body, authentication3DS: { transactionId } }
    const paid = await cardCheckout(alice, again)
    expect(paid.status).toBe('settled')
    // The challenge is valid for one payment.
    expect((await cardCheckout(alice, again)).paymentId).toBe(paid.paymentId)
  })

  test('a card is saved, listed, and charged later', async () => {
    const carol = clientOf('carol')
    const { token } = await zeroAuthorization(carol, { card: { cardToken: await tokenOf('approved') } })
    expect(await getSavedCards(carol)).toMatchObject([{ token, lastFour: '0012', firstSix: '400000' }])
    expect(await getSavedCards(alice)).toEqual([])
    expect(await savedCardCheckout(carol, { subtotal, token: token ?? '' })).toMatchObject({
      status: 'settled',
    })
  })

  test('a plan is bought with a saved card, once', async () => {
    const dave = clientOf('dave')
    const [plan] = await getPlans(dave)
    expect(plan).toMatchObject({ code: 'gold', interval: 'Monthly', amount: { cents: 999, currency: 'USD' } })
    const { token = '' } = await zeroAuthorization(dave, { card: { cardToken: await tokenOf('approved') } })
    const body = { planCode: 'gold', token }
    expect(await purchaseSubscription(dave, body)).toMatchObject({ subscriptionId: expect.any(String) })
    await expect(purchaseSubscription(dave, body)).rejects.toMatchObject({ status: 409 })
  })

  test('a wire order returns the bank account within 5 minutes', async () => {
    const saved = { routingNumber: '021000021', accountNumber: '123456789' }
    const { token } = await ask('/sandbox/wire-accounts', authorization, saved)
    const order = await wireTokenCheckout(alice, { subtotal, token })
    expect(order).toMatchObject({ paymentId: expect.any(String), amount: { currency: 'USD' } })
    expect(order.amount.cents).toBeGreaterThanOrEqual(1250)
    const left = Date.parse(order.expires) - Date.now()
    expect(left).toBeGreaterThan(280_000)
    expect(left).toBeLessThanOrEqual(300_000)
  })

  test('a Pix order returns a code to scan, and its price in reais', async () => {
    const order = await pixCheckout(alice, { subtotal, email: 'alice@shop.example' })
    expect(order).toMatchObject({ brCode: expect.stringMatching(/^000201/), quote: { currency: 'BRL' } })
  })

  test('a user id other than the session key’s is refused', async () => {
    const mallory = alice.with({ userId: 'mallory', sessionKey: () => keyOf('alice') })
    await expect(pixCheckout(mallory, { subtotal, email: 'm@shop.example' })).rejects.toMatchObject({
      status: 403,
    })
  })

  test('a payment whose response is lost is found and charged once', async () => {
    const erin = clientOf('erin')
    await ask('/sandbox/fault', {}, { path: '/api/checkout/card/*', kind: 'lost', times: 1 })
    const error = await pay('approved', erin).then(
      () => expect.unreachable(),
      (error) => error,
    )
    expect(error).toMatchObject({ name: 'PaymentOutcomeUnknownError', lookUp: 'getPurchases' })
    expect(await findPayments(erin, error)).toMatchObject([{ status: 'settled', rail: 'card', subtotal }])
  })

  test('a payment that never reached the service is not found', async () => {
    const frank = clientOf('frank')
    const fault = { path: '/api/checkout/card/*', kind: 'status', status: 502, executes: false, times: 1 }
    await ask('/sandbox/fault', {}, fault)
    const error = await pay('approved', frank).then(
      () => expect.unreachable(),
      (error) => error,
    )
    expect(error).toMatchObject({ name: 'PaymentOutcomeUnknownError', failure: { status: 502 } })
    expect(await findPayments(frank, error)).toEqual([])
  })

  test('a required verification is an error with its URL', async () => {
    await ask('/sandbox/fault', {}, { path: '/api/checkout/pix', kind: 'status', status: 451, times: 1 })
    await expect(pixCheckout(alice, { subtotal, email: 'alice@shop.example' })).rejects.toMatchObject({
      name: 'VerificationRequiredError',
      verificationLink: expect.stringMatching(/^http/),
      redirectLink: expect.stringMatching(/^http/),
    })
  })
})
