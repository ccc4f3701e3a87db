import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import vectors from '../../../../test/vectors/checkout-calls.json' with { type: 'json' }
import { headerNames } from '../../../redeemkit/core/headerNames.ts'
import { goodUntil, type TestShop, testShop } from '../payments/payments.fixture.ts'
import { testCards } from './cards.ts'

let shop: TestShop
let alice: Record<string, string>
let bob: Record<string, string>
const ownPage = { 'sec-fetch-site': 'same-origin' }
const subtotal = { cents: 1250, currency: 'USD' }

beforeAll(async () => {
  shop = await testShop()
  ;[alice, bob] = await Promise.all([shop.customer('alice'), shop.customer('bob')])
})
afterAll(() => shop?.close())

const ask = (purchaseId: string, card: keyof typeof testCards, headers: Record<string, string>) =>
  shop.post('/card/shop/token', { ...testCards[card], ...goodUntil, purchaseId }, headers)
const tokenOf = async (purchaseId: string, card: keyof typeof testCards = 'approved', who = alice) =>
  (await ask(purchaseId, card, { ...who, ...ownPage })).body.token as string // our service returns a token
const pay = (cardToken: string, more: object = {}, who = alice) =>
  shop.post('/api/checkout/card/shop', { subtotal, card: { cardToken }, ...more }, who)
const jwtFor = (purchaseId: string | undefined, more: object = {}) =>
  shop.post('/api/checkout/jwt-token', { subtotal, purchaseId, ...more }, shop.merchant())
const jwtOf = async (...of: Parameters<typeof jwtFor>) =>
  (await jwtFor(...of)).body.checkoutJwtToken as string // our service returns a token
const look = (purchaseId: string, who = alice) =>
  shop.post('/card/shop/purchase', { purchaseId }, { ...who, ...ownPage })
const count = async (userId: string) =>
  (await shop.get('/sandbox/payments?limit=100', shop.merchant())).body.payments.filter(
    (one: { userId: string }) => one.userId === userId,
  ).length

describe('the routes of the card form', () => {
  test.each([
    ['a page on this machine', { 'sec-fetch-site': 'same-site', origin: 'http://localhost' }],
    ['a page on another site', { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:3000' }],
    ['another page in an older browser', { origin: 'http://localhost:3000' }],
    ['a program', {}],
  ])('reject %s', async (_, headers) => {
    expect((await ask('p-0', 'approved', { ...alice, ...headers })).status).toBe(403)
    expect(
      (await shop.post('/card/shop/purchase', { purchaseId: 'p-0' }, { ...alice, ...headers })).status,
    ).toBe(403)
  })

  test('accept the form’s calls from a browser that sends only Origin', async () => {
    expect((await ask('p-0', 'approved', { ...alice, origin: 'http://localhost' })).status).toBe(200)
  })

  test('require a session key', async () => {
    expect((await ask('p-0', 'approved', ownPage)).status).toBe(401)
  })

  test.each([
    ['', 'is empty'],
    [' ', 'white space'],
    ['p-1\n', 'white space'],
    ['p\u200b1', 'U+200B'],
    ['p\u0378', 'U+0378'],
    ['cafe\u0301', 'NFC'],
    ['x'.repeat(257), 'longer than 256 characters'],
  ])('reject the purchase id %j with a reason', async (purchaseId, reason) => {
    const refused = {
      status: 400,
      body: { issues: ['purchaseId'], message: expect.stringContaining(reason) },
    }
    expect(await ask(purchaseId, 'approved', { ...alice, ...ownPage })).toMatchObject(refused)
    expect(await look(purchaseId)).toMatchObject(refused)
    expect(await jwtFor(purchaseId)).toMatchObject(refused)
  })

  test.each([
    ['shop ', 'white space'],
    ['shop\u200b', 'U+200B'],
    ['sho\u0323p', 'NFC'],
  ])('reject the merchant id %j with a reason', async (merchantId, reason) => {
    const path = `/card/${encodeURIComponent(merchantId)}`
    const message = expect.stringContaining(reason)
    for (const body of [{ purchaseId: 'p-0' }, { ...testCards.approved, ...goodUntil, purchaseId: 'p-0' }])
      expect(
        await shop.post(`${path}/${'cvv' in body ? 'token' : 'purchase'}`, body, { ...alice, ...ownPage }),
      ).toMatchObject({ status: 400, body: { issues: ['merchantId'], message } })
    const page = await shop.raw(`${path}?parent=http://localhost`, {})
    expect([page.status, await page.text()]).toEqual([403, message])
  })

  test('do not quote card numbers in errors', async () => {
    const { number } = testCards.approved
    const { body } = await shop.post('/card/shop/token', { number, [number]: 1 }, { ...alice, ...ownPage })
    expect(JSON.stringify(body)).not.toContain(number)
  })
})

describe('a purchase is paid only once:', () => {
  test('the same token returns the same payment', async () => {
    const carol = await shop.customer('carol')
    const token = await tokenOf('p-1', 'approved', carol)
    const first = await pay(token, {}, carol)
    expect(first).toMatchObject({ status: 200, body: { status: 'settled' } })
    expect(await pay(token, {}, carol)).toEqual(first)
    expect(await count('carol')).toBe(1)
  })

  test('another token for the same purchase returns the same payment', async () => {
    const first = await pay(await tokenOf('p-2'))
    expect((await pay(await tokenOf('p-2', 'declined'))).body).toEqual(first.body)
    expect((await look('p-2')).body.payment).toEqual(first.body)
  })

  test('a token at a different price is rejected', async () => {
    await pay(await tokenOf('p-4'))
    expect(await pay(await tokenOf('p-4'), { subtotal: { cents: 1, currency: 'USD' } })).toMatchObject({
      status: 409,
      body: { code: 'AMBIGUOUS_INTENT' },
    })
  })

  test.each([
    ['another price', { subtotal: { cents: 1, currency: 'USD' } }],
    ['an authorization without capture', { subtotal, authOnly: true }],
  ])('a status check for %s is rejected before a card is entered', async (what, order) => {
    const purchaseId = `p-4 ${what}`
    const { body } = await pay(await tokenOf(purchaseId))
    const lookFor = (asked: object) =>
      shop.post('/card/shop/purchase', { purchaseId, order: asked }, { ...alice, ...ownPage })
    expect(await lookFor({ subtotal })).toMatchObject({ status: 200, body: { payment: body } })
    expect(await lookFor(order)).toMatchObject({
      status: 409,
      body: { code: 'AMBIGUOUS_INTENT', details: { paymentId: body.paymentId } },
    })
  })

  test('a status check fills in the values of a checkout JWT', async () => {
    const jwtAt = (cents: number) =>
      jwtOf(undefined, { subtotal: { cents, currency: 'USD' }, feePercentage: 3 })
    await pay(await tokenOf('p-4 jwt'), { jwtToken: await jwtAt(1250) })
    const lookFor = async (cents: number) =>
      shop.post(
        '/card/shop/purchase',
        {
          purchaseId: 'p-4 jwt',
          order: { subtotal: { cents, currency: 'USD' }, jwtToken: await jwtAt(cents) },
        },
        { ...alice, ...ownPage },
      )
    expect((await lookFor(1250)).body).toMatchObject({ payment: { status: 'settled' } })
    expect((await lookFor(1)).body).toMatchObject({ code: 'AMBIGUOUS_INTENT' })
  })

  test('the same id of another customer is another purchase', async () => {
    const first = await pay(await tokenOf('p-5'))
    const other = await pay(await tokenOf('p-5', 'approved', bob), {}, bob)
    expect(other.body.paymentId).not.toBe(first.body.paymentId)
  })

  test('a retry with the same token returns the decline, and another token can pay', async () => {
    const token = await tokenOf('p-6', 'insufficientFunds')
    const first = await pay(token)
    expect(first).toMatchObject({ status: 402, body: { details: { reason: 'insufficientFunds' } } })
    expect((await pay(token)).body).toMatchObject({ details: first.body.details })
    expect((await look('p-6')).body.payment).toMatchObject({ status: 'failed' })
    expect(await pay(await tokenOf('p-6'))).toMatchObject({ status: 200, body: { status: 'settled' } })
  })

  test('after a void, the purchase can be paid again', async () => {
    const { body } = await pay(await tokenOf('p-7'), { authOnly: true })
    expect(body.status).toBe('authorized')
    await shop.post('/api/checkout/void', { paymentId: body.paymentId }, shop.merchant())
    expect((await pay(await tokenOf('p-7'))).body.paymentId).not.toBe(body.paymentId)
  })

  test('a status check returns the paid payment, not later attempts', async () => {
    const token = await tokenOf('p-4 later', 'challenge')
    const { transactionId, url } = (await pay(token)).body.details
    for (let tries = 0; tries < 5; tries++) await pay(await tokenOf('p-4 later', 'declined'))
    await shop.post(new URL(url).pathname, { answer: 'approve' })
    const { body } = await pay(token, { authentication3DS: { transactionId } })
    expect(body).toMatchObject({ status: 'settled' })
    expect((await look('p-4 later')).body.payment).toEqual(body)
  })

  test('retries share one challenge', async () => {
    const token = await tokenOf('p-8', 'challenge')
    const first = await pay(token)
    expect(first.status).toBe(412)
    expect((await pay(token)).body.details).toEqual(first.body.details)
  })

  test('a challenge charges nothing if another card has paid before it is passed', async () => {
    const token = await tokenOf('p-9', 'challenge')
    const { transactionId } = (await pay(token)).body.details
    const paid = await pay(await tokenOf('p-9'))
    await shop.post(`/sandbox/3ds/${transactionId}`, { answer: 'approve' })
    expect((await pay(token, { authentication3DS: { transactionId } })).body).toEqual(paid.body)
  })
})

describe('a checkout JWT for an order', () => {
  const lookWith = (purchaseId: string, jwtToken: string) =>
    shop.post('/card/shop/purchase', { purchaseId, order: { subtotal, jwtToken } }, { ...alice, ...ownPage })
  /** Two JWTs signed within one second. They differ only in a field that does not belong to the order. */
  const twoJwts = async (purchaseId: string) => [
    await jwtOf(purchaseId, { webhookInfo: { load: 1 } }),
    await jwtOf(purchaseId, { webhookInfo: { load: 2 } }),
  ]

  test('pays once, even if several are signed for the order', async () => {
    const [one = '', two = ''] = await twoJwts('o-1')
    expect(one).not.toBe(two)
    const first = await pay(await tokenOf('o-1'), { jwtToken: one })
    expect(first).toMatchObject({ status: 200, body: { status: 'settled' } })
    expect((await pay(await tokenOf('o-1'), { jwtToken: two })).body).toEqual(first.body)
    expect((await lookWith('o-1', two)).body.payment).toEqual(first.body)
  })

  test.each([
    ['approved', 200, ['settled']],
    ['declined', 402, ['failed', 'failed']],
  ] as const)('pays once for concurrent requests, with a card that is %s', async (card, status, states) => {
    const who = await shop.customer(`dora ${card}`)
    const jwts = await twoJwts(`o-2 ${card}`)
    const tokens = await Promise.all(jwts.map(() => tokenOf(`o-2 ${card}`, card, who)))
    const answers = await Promise.all(jwts.map((jwtToken, at) => pay(tokens[at] ?? '', { jwtToken }, who)))
    expect(answers.map((one) => one.status)).toEqual([status, status])
    const { payments } = (await shop.get('/sandbox/payments?limit=100', shop.merchant())).body
    expect(
      payments
        .filter(({ userId }: { userId: string }) => userId === `dora ${card}`)
        .map((one: { status: string }) => one.status),
    ).toEqual(states)
  })

  test('is rejected at every step if the form is for another order', async () => {
    const jwtToken = await jwtOf('o-3')
    const refused = {
      status: 403,
      body: { code: 'FORBIDDEN', issues: ['purchaseId'], message: expect.stringContaining('"o-3"') },
    }
    expect(await lookWith('o-4', jwtToken)).toMatchObject(refused)
    expect(await pay(await tokenOf('o-4'), { jwtToken })).toMatchObject(refused)
    expect((await look('o-3')).body).toEqual({})
    expect((await look('o-4')).body).toEqual({})
  })

  test('takes the order id from the form if it has none itself', async () => {
    const jwtToken = await jwtOf(undefined)
    const first = await pay(await tokenOf('o-5'), { jwtToken })
    expect((await pay(await tokenOf('o-5'), { jwtToken })).body).toEqual(first.body)
    expect((await pay(await tokenOf('o-6'), { jwtToken })).body.paymentId).not.toBe(first.body.paymentId)
  })

  test('is rejected at a different price', async () => {
    await pay(await tokenOf('o-7'), { jwtToken: await jwtOf('o-7') })
    const cheap = { subtotal: { cents: 1, currency: 'USD' } }
    const more = { ...cheap, jwtToken: await jwtOf('o-7', cheap) }
    expect(await pay(await tokenOf('o-7'), more)).toMatchObject({
      status: 409,
      body: { code: 'AMBIGUOUS_INTENT' },
    })
  })

  test('pays once across card tokens and saved cards', async () => {
    const fred = await shop.customer('fred')
    const tokenize = async () =>
      (await shop.post('/api/tokenize', { ...testCards.approved, ...goodUntil }, shop.merchant())).body.token
    const first = await pay(await tokenize(), { jwtToken: await jwtOf('o-8'), saveCard: true }, fred)
    expect(first).toMatchObject({ status: 200, body: { status: 'settled' } })
    const again = { jwtToken: await jwtOf('o-8') }
    expect((await pay(await tokenize(), again, fred)).body).toEqual(first.body)
    expect((await pay(await tokenOf('o-8', 'approved', fred), again, fred)).body).toEqual(first.body)
    const [{ token }] = (await shop.get('/api/customer/cards/shop', fred)).body
    const charge = (more: object) => shop.post('/api/checkout/token/shop', { subtotal, token, ...more }, fred)
    expect((await charge(again)).body).toEqual(first.body)
    expect(await count('fred')).toBe(1)
    // Without an order id, each request charges the saved card.
    await charge({})
    expect(await count('fred')).toBe(2)
  })

  test('can be paid after a declined card', async () => {
    const gina = await shop.customer('gina')
    const { token } = (
      await shop.post('/api/tokenize', { ...testCards.declined, ...goodUntil }, shop.merchant())
    ).body
    const jwtToken = await jwtOf('o-9')
    for (const _ of [1, 2]) expect((await pay(token, { jwtToken }, gina)).status).toBe(402)
    expect(await count('gina')).toBe(2)
    expect(await pay(await tokenOf('o-9', 'approved', gina), { jwtToken }, gina)).toMatchObject({
      status: 200,
    })
  })
})

describe('a token of the form', () => {
  test('is rejected for another customer', async () => {
    expect(await pay(await tokenOf('p-10'), {}, bob)).toMatchObject({
      status: 400,
      body: { issues: ['card.cardToken'] },
    })
  })

  test('can be charged repeatedly once saved', async () => {
    const erin = await shop.customer('erin')
    await pay(await tokenOf('p-11', 'approved', erin), { saveCard: true }, erin)
    const [{ token }] = (await shop.get('/api/customer/cards/shop', erin)).body
    const charge = () => shop.post('/api/checkout/token/shop', { subtotal, token }, erin)
    const [one, two] = [await charge(), await charge()]
    expect(one.status).toBe(200)
    expect(one.body.paymentId).not.toBe(two.body.paymentId)
  })
})

describe('the page', () => {
  const open = (parent?: string) =>
    shop.raw(`/card/shop${parent === undefined ? '' : `?parent=${encodeURIComponent(parent)}`}`, {})
  const ancestors = (response: Response) =>
    /frame-ancestors (.*)$/.exec(response.headers.get('content-security-policy') ?? '')?.[1]

  test('may be embedded only by the page in its URL', async () => {
    const response = await open('http://localhost:3000')
    expect([response.status, ancestors(response)]).toEqual([200, 'http://localhost:3000'])
  })

  test.each([
    ['https://shop.example'],
    ['null'],
    ['http://localhost:3000; script-src *'],
    ['javascript:alert(1)'],
    [undefined],
  ])('rejects %s', async (parent) => {
    const response = await open(parent)
    expect([response.status, ancestors(response)]).toEqual([403, "'none'"])
  })

  test('may be embedded only by the merchant’s listed pages', async () => {
    await shop.set({ whitelistedAncestorUrls: ['https://shop.example/pay', 'https://market.example'] })
    try {
      const response = await open('https://shop.example')
      expect([response.status, ancestors(response)]).toEqual([
        200,
        'https://shop.example https://market.example',
      ])
      expect((await open('http://localhost:3000')).status).toBe(403)
    } finally {
      await shop.set({})
    }
  })

  test('escapes its URL', async () => {
    const response = await shop.raw(`/card/${encodeURIComponent('"><script>')}?parent=http://localhost`, {})
    expect(response.status).toBe(403)
    expect(await (await open('https://x.example/"><script>')).text()).not.toContain('<script>')
  })
})

describe('calls recorded from other programs:', () => {
  /** Emulates a deployed service, with its header names. */
  let shop: TestShop
  const prefix = 'x-acme-'
  const values: Record<string, string> = {}
  let session: Record<string, string>

  beforeAll(async () => {
    shop = await testShop()
    shop.service.headers = headerNames(prefix)
    shop.service.kind = 'randomNonce'
    const { body } = await shop.get('/api/auth/session-key', { ...shop.merchant(), ...user })
    session = { [`${prefix}auth-session-key`]: body.key }
  })
  afterAll(() => shop?.close())

  const user = { [`${prefix}auth-user-id`]: 'u-1' }
  type Call = (typeof vectors.calls)[number] & {
    user?: boolean
    card?: keyof typeof testCards
    body?: object
  }

  // In sequence, because each call uses the previous response.
  test.each(vectors.calls as Call[])('$name', async (call) => {
    values.cardToken = await shop.tokenOf(call.card ?? 'approved')
    const filled = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
    const headers = { ...(call.credentials === 'key' ? shop.merchant() : session), ...(call.user && user) }
    const path = filled(call.path)
    const { status, body } =
      call.method === 'GET'
        ? await shop.get(path, headers)
        : await shop.post(path, JSON.parse(filled(JSON.stringify(call.body))), headers)
    expect({ status, body }).toMatchObject({ status: call.status })
    for (const place of call.reads)
      expect(
        place.split('.').reduce((at, name) => at?.[name], body),
        place,
      ).toBeDefined()
    if (body.paymentId !== undefined) values.paymentId = body.paymentId
    if (body[0]?.token !== undefined) values.savedToken = body[0].token
  })

  test('a session key names its merchant', async () => {
    const { body } = await shop.get('/api/auth/session-key', { ...shop.merchant(), ...user })
    expect(decodeJwt(body.key)).toMatchObject({ merchantId: 'shop', userId: 'u-1' })
  })

  test('after an answered challenge, the call needs only its transactionId', async () => {
    const purchase = { subtotal: { cents: 2500 }, saveCard: true }
    const body = { ...purchase, card: { cardToken: await shop.tokenOf('challenge') } }
    const asked = (await shop.post('/api/checkout/card/shop', body, session)).body
    expect(asked.creq).toBe('')
    await shop.post(new URL(asked.url).pathname, { answer: 'approve' })
    const { transactionId } = asked
    const done = await shop.post(
      '/api/checkout/card/shop',
      { ...body, authentication3DS: { transactionId } },
      session,
    )
    expect(done).toMatchObject({ status: 200, body: { paymentId: expect.any(String), status: 'settled' } })
  })

  test('a card that was declined is not saved', async () => {
    const mallory = { ...shop.merchant(), [`${prefix}auth-user-id`]: 'mallory' }
    const { body } = await shop.get('/api/auth/session-key', mallory)
    const key = { [`${prefix}auth-session-key`]: body.key }
    const card = { cardToken: await shop.tokenOf('declined') }
    await shop.post('/api/checkout/card/shop', { subtotal: { cents: 100 }, card, saveCard: true }, key)
    expect((await shop.get('/api/customer/cards/shop', key)).body).toEqual([])
  })
})
