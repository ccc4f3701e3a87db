import { readFileSync } from 'node:fs'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { onEachDatabase } from '../../../../test/postgres/onEachDatabase.ts'
import { reportable } from '../../requestLog.ts'
import { merchants } from '../../store/tables/index.ts'
import { movePayment } from '../payments/movePayment.ts'
import { goodUntil, onBase, type TestShop, testShop } from '../payments/payments.fixture.ts'
import { testCards } from './cards.ts'

let shop: TestShop
let alice: Record<string, string>
const start = Date.parse('2026-05-01T12:00:00Z')
const subtotal = { cents: 1250, currency: 'USD' }
const checkout = '/api/checkout/card/shop'

beforeAll(async () => {
  shop = await testShop()
  shop.setTime(start)
  alice = await shop.customer('alice')
})
beforeEach(() => shop.setTime(start))
afterAll(() => shop?.close())

const tokenize = (card: object) =>
  shop.post('/api/tokenize', { ...testCards.approved, ...goodUntil, ...card }, shop.merchant())
const pay = async (card: keyof typeof testCards, more: object = {}) =>
  shop.post(checkout, { subtotal, card: { cardToken: await shop.tokenOf(card) }, ...more }, alice)
const paymentOf = async (paymentId: string) =>
  (await shop.get(`/api/merchant/payments/${paymentId}`, shop.merchant())).body

describe('a card token', () => {
  test('represents the card', async () => {
    const { status, body } = await tokenize({})
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        token: expect.stringMatching(/^tok_.{32}$/),
        firstSix: '400000',
        lastFour: '0012',
        referenceNumber: expect.any(String),
        success: true,
        error: '',
        message: '',
      },
    })
  })

  test('is different for each request', async () => {
    expect((await tokenize({})).body.token).not.toBe((await tokenize({})).body.token)
  })

  test.each([
    ['a wrong check digit', { number: '4000009900000013' }, 'INVALID_CARD_NUMBER'],
    ['letters', { number: '400000990000001x' }, 'INVALID_CARD_NUMBER'],
    ['too few digits', { number: '40000099000' }, 'INVALID_CARD_NUMBER'],
    ['another CVV', { cvv: '124' }, 'INVALID_CVV'],
    ['a two-digit CVV of an unknown card', { number: '4242424242424242', cvv: '12' }, 'INVALID_CVV'],
    ['a month that has passed', { expMonth: '04', expYear: '26' }, 'CARD_EXPIRED'],
    ['a 13th month', { expMonth: '13' }, 'INVALID_REQUEST'],
    ['a year of three digits', { expYear: '203' }, 'INVALID_REQUEST'],
  ])('is not issued for %s', async (_, card, code) => {
    expect(await tokenize(card)).toMatchObject({ status: 400, body: { code } })
  })

  test('is issued until the end of the card’s expiry month', async () => {
    const may = { expMonth: '5', expYear: '2026' }
    shop.setTime(Date.parse('2026-05-31T23:59:59.999Z'))
    expect((await tokenize(may)).status).toBe(200)
    shop.setTime(Date.parse('2026-06-01T00:00:00Z'))
    expect((await tokenize(may)).body.code).toBe('CARD_EXPIRED')
  })

  test('works for its own merchant only', async () => {
    const cardToken = await shop.tokenOf('approved', 'other')
    expect(await shop.post(checkout, { subtotal, card: { cardToken } }, alice)).toMatchObject({
      status: 400,
      body: { issues: ['card.cardToken'] },
    })
  })

  test('cannot pay after its card has expired', async () => {
    const { body } = await tokenize({ expMonth: '05', expYear: '26' })
    shop.setTime(Date.parse('2026-06-01T00:00:00Z'))
    const later = await shop.customer('alice')
    const answer = await shop.post(checkout, { subtotal, card: { cardToken: body.token } }, later)
    expect(answer).toMatchObject({ status: 400, body: { code: 'CARD_EXPIRED' } })
  })

  test('is rejected with a different expiry date', async () => {
    const cardToken = await shop.tokenOf('approved')
    const card = { cardToken, expMonth: '12', expYear: '31' }
    expect((await shop.post(checkout, { subtotal, card }, alice)).body.issues).toEqual(['card.expYear'])
  })
})

describe('the test cards', () => {
  test('have valid Luhn check digits', async () => {
    for (const card of Object.values(testCards)) expect((await tokenize(card)).status).toBe(200)
  })

  test('are listed in docs/pages/reference/sandbox.md', () => {
    const page = readFileSync(new URL('../../../../docs/pages/reference/sandbox.md', import.meta.url), 'utf8')
    const published = [...page.matchAll(/^\| `(\d{16})` \| `(\w+)` \|/gm)].map(([, number, name]) => [
      name,
      number,
    ])
    expect(published).toEqual(Object.entries(testCards).map(([name, { number }]) => [name, number]))
  })

  test('approved: the payment settles', async () => {
    const { status, body } = await pay('approved')
    expect({ status, body }).toEqual({
      status: 200,
      body: { paymentId: expect.stringMatching(/^pay_/), status: 'settled' },
    })
  })

  test.each([
    ['declined', 'CARD_DECLINED', 'declined'],
    ['insufficientFunds', 'CARD_DECLINED', 'insufficientFunds'],
    ['fraud', 'FRAUD_SUSPECTED', 'fraud'],
  ] as const)('%s: the payment fails', async (card, code, reason) => {
    const { status, body } = await pay(card)
    expect({ status, body }).toMatchObject({ status: 402, body: { code, details: { reason } } })
    expect((await paymentOf(body.details.paymentId)).status).toBe('failed')
  })

  test('every other number is declined', async () => {
    const { body } = await tokenize({ number: '4242 4242 4242 4242', cvv: '999' })
    expect(await shop.post(checkout, { subtotal, card: { cardToken: body.token } }, alice)).toMatchObject({
      status: 402,
      body: { code: 'CARD_DECLINED', details: { reason: 'notATestCard' } },
    })
  })
})

describe('a 3DS challenge', () => {
  const challenge = async (more: object = {}) => {
    const body = { subtotal, card: { cardToken: await shop.tokenOf('challenge') }, ...more }
    const first = await shop.post(checkout, body, alice)
    const { transactionId, url } = first.body.details
    const again = (changes: object = {}) =>
      shop.post(checkout, { ...body, authentication3DS: { transactionId }, ...changes }, alice)
    return { first, page: new URL(url).pathname, transactionId, again }
  }

  test('is requested by a 412 with the URL of its page', async () => {
    const { first } = await challenge()
    expect(first).toMatchObject({
      status: 412,
      body: {
        code: 'CHALLENGE_REQUIRED',
        details: { transactionId: expect.any(String), url: expect.stringMatching(/\/sandbox\/3ds\//) },
      },
    })
  })

  test('pays once it is approved and the body is repeated', async () => {
    const { page, again } = await challenge()
    expect((await shop.get(page)).body).toContain('12.50 USD')
    expect((await shop.form(page, { answer: 'approve' })).body).toContain('Thank you')
    expect(await again()).toMatchObject({ status: 200, body: { status: 'settled' } })
  })

  test('leads to one payment, even if the body is repeated', async () => {
    const { page, again } = await challenge()
    await shop.post(page, { answer: 'approve' })
    const answers = await Promise.all([again(), again(), again()])
    expect(new Set(answers.map(({ body }) => body.paymentId)).size).toBe(1)
    expect(answers.map(({ body }) => body.status)).toEqual(['settled', 'settled', 'settled'])
  })

  test('leads to an error if its payment has since failed', async () => {
    const { page, again } = await challenge({ authOnly: true })
    await shop.post(page, { answer: 'approve' })
    const { paymentId } = (await again()).body
    const database = await shop.service.database()
    await database.transaction((work) => movePayment(work, { paymentId, to: 'failed', at: new Date(start) }))
    expect(await again()).toMatchObject({
      status: 409,
      body: { code: 'PAYMENT_STATE', details: { paymentId, status: 'failed' } },
    })
  })

  test('is requested again until the customer answers it', async () => {
    const { again, transactionId } = await challenge()
    expect(await again()).toMatchObject({ status: 412, body: { details: { transactionId } } })
  })

  test('leads to a decline if the customer fails it', async () => {
    const { page, again } = await challenge()
    await shop.post(page, { answer: 'fail' })
    const { status, body } = await again()
    expect({ status, body }).toMatchObject({ status: 402, body: { details: { reason: 'challengeFailed' } } })
    expect((await paymentOf(body.details.paymentId)).status).toBe('failed')
  })

  test('can be answered only once', async () => {
    const { page } = await challenge()
    await shop.post(page, { answer: 'fail' })
    expect((await shop.post(page, { answer: 'approve' })).body.code).toBe('PAYMENT_STATE')
  })

  test('is valid for its purchase only', async () => {
    const { page, again } = await challenge()
    await shop.post(page, { answer: 'approve' })
    expect((await again({ subtotal: { cents: 1, currency: 'USD' } })).body.code).toBe('INTENT_MISMATCH')
  })

  test('is valid for its customer only', async () => {
    const { page, transactionId } = await challenge()
    await shop.post(page, { answer: 'approve' })
    const body = { subtotal, card: { cardToken: await shop.tokenOf('challenge') } }
    const bob = await shop.customer('bob')
    const answer = await shop.post(checkout, { ...body, authentication3DS: { transactionId } }, bob)
    expect(answer.body.code).toBe('INTENT_MISMATCH')
  })

  test('is skipped with proof of authentication elsewhere', async () => {
    const proof = { cavv: 'c', eci: '05', dsTransactionId: 'd', acsTransactionId: 'a', version: '2.2.0' }
    const authentication3DS = { transactionId: 't', ...proof }
    expect((await pay('challenge', { authentication3DS })).body.status).toBe('settled')
  })

  test('is requested if the body has browser details', async () => {
    const authentication3DS = { colorDepth: 24, screenHeight: 1, screenWidth: 1, timeZone: 0 }
    expect((await pay('challenge', { authentication3DS })).body.code).toBe('CHALLENGE_REQUIRED')
  })

  test('can be requested by the merchant for any card', async () => {
    const answer = await pay('approved', { threeDsChallengePreference: 'Challenge' })
    expect(answer.body.code).toBe('CHALLENGE_REQUIRED')
  })

  test('is requested above the merchant’s threshold, but not at the threshold', async () => {
    await shop.set({ threeDsAboveCents: 1000 })
    expect((await pay('approved', { subtotal: { cents: 1000 } })).body.status).toBe('settled')
    const above = { subtotal: { cents: 1001 }, card: { cardToken: await shop.tokenOf('approved') } }
    const { code, details } = (await shop.post(checkout, above, alice)).body
    expect(code).toBe('CHALLENGE_REQUIRED')
    await shop.post(new URL(details.url).pathname, { answer: 'approve' })
    const authentication3DS = { transactionId: details.transactionId }
    expect((await shop.post(checkout, { ...above, authentication3DS }, alice)).body.status).toBe('settled')
    // 9.00 EUR equal 10.00 USD.
    expect((await pay('approved', { subtotal: { cents: 900, currency: 'EUR' } })).status).toBe(200)
    expect((await pay('approved', { subtotal: { cents: 901, currency: 'EUR' } })).status).toBe(412)
    await shop.set({ threeDsAboveCents: 1000, threeDs: false })
    expect((await pay('approved', { subtotal: { cents: 1001 } })).status).toBe(200)
    await shop.set({})
  })

  test('cannot be answered after ten minutes', async () => {
    const { page, again } = await challenge()
    shop.setTime(start + 600_000)
    expect((await shop.post(page, { answer: 'approve' })).body.code).toBe('PAYMENT_STATE')
    expect((await again()).body.code).toBe('PAYMENT_STATE')
  })
})

test('the merchant’s card fees are charged and appear in the payment record', async () => {
  await shop.set({ cardFees: { fixedCents: 30, variableBps: 290, networkBps: 5 } })
  const { paymentId } = (await pay('approved')).body
  await shop.set({})
  const usd = (cents: number) => ({ cents, currency: 'USD' })
  // 2.9 % of 12.50 is 36.25 cents, and 0.05 % of it is 0.625 cents.
  expect((await paymentOf(paymentId)).totals).toMatchObject({
    subtotal: usd(1250),
    creditCardFees: usd(67),
    networkFees: usd(1),
    total: usd(1318),
    lines: [
      { label: 'Card fee', cents: 67 },
      { label: 'Network fee', cents: 1 },
    ],
  })
})

describe('a card payment', () => {
  test('with authOnly is authorized, and a void releases the amount', async () => {
    const { body } = await pay('approved', { authOnly: true })
    expect(body.status).toBe('authorized')
    const gone = await shop.post('/api/checkout/void', { paymentId: body.paymentId }, shop.merchant())
    expect(gone).toEqual({ status: 200, body: {} })
    expect((await paymentOf(body.paymentId)).status).toBe('voided')
  })

  test('with authOnly can be voided only once', async () => {
    const { body } = await pay('approved', { authOnly: true })
    await shop.post('/api/checkout/void', { paymentId: body.paymentId }, shop.merchant())
    const again = await shop.post('/api/checkout/void', { paymentId: body.paymentId }, shop.merchant())
    expect(again).toMatchObject({
      status: 409,
      body: { code: 'PAYMENT_STATE', details: { status: 'voided' } },
    })
  })

  test('that is settled cannot be voided', async () => {
    const { body } = await pay('approved')
    const answer = await shop.post('/api/checkout/void', { paymentId: body.paymentId }, shop.merchant())
    expect(answer).toMatchObject({ status: 409, body: { code: 'PAYMENT_STATE' } })
  })
})

describe('a saved card', () => {
  const zero = '/api/checkout/zero-authorization/shop'
  const save = async (card: keyof typeof testCards, who = alice) =>
    shop.post(zero, { card: { cardToken: await shop.tokenOf(card) } }, who)

  test('is saved after a zero authorization, which is voided', async () => {
    const { body } = await save('approved')
    expect(body).toMatchObject({ status: 'voided', token: expect.stringMatching(/^card_/) })
    expect((await shop.get('/api/customer/cards/shop', alice)).body).toContainEqual({
      token: body.token,
      firstSix: '400000',
      lastFour: '0012',
      expMonth: '12',
      expYear: '2030',
      createdAt: expect.any(String),
    })
  })

  test('can be charged later', async () => {
    const { token } = (await save('approved')).body
    expect(await shop.post('/api/checkout/token/shop', { subtotal, token }, alice)).toMatchObject({
      status: 200,
      body: { status: 'settled' },
    })
  })

  test('requires a challenge only when it is saved', async () => {
    const body = { card: { cardToken: await shop.tokenOf('challenge') } }
    const { transactionId, url } = (await shop.post(zero, body, alice)).body.details
    await shop.post(new URL(url).pathname, { answer: 'approve' })
    const saved = await shop.post(zero, { ...body, authentication3DS: { transactionId } }, alice)
    expect(saved.status).toBe(200)
    const paid = await shop.post('/api/checkout/token/shop', { subtotal, token: saved.body.token }, alice)
    expect(paid.body.status).toBe('settled')
  })

  test('is not saved if it is declined', async () => {
    const bob = await shop.customer('bob')
    expect((await save('declined', bob)).status).toBe(402)
    expect((await shop.get('/api/customer/cards/shop', bob)).body).toEqual([])
  })

  test('may be declined later', async () => {
    const { body } = await save('declinedLater')
    expect(await shop.post('/api/checkout/token/shop', { subtotal, token: body.token }, alice)).toMatchObject(
      {
        status: 402,
        body: { code: 'CARD_DECLINED' },
      },
    )
  })

  test('belongs to its customer', async () => {
    const { body } = await save('approved')
    const bob = await shop.customer('bob')
    expect(await shop.post('/api/checkout/token/shop', { subtotal, token: body.token }, bob)).toMatchObject({
      status: 400,
      body: { issues: ['token'] },
    })
  })

  test('is stored once', async () => {
    const carol = await shop.customer('carol')
    const card = { cardToken: await shop.tokenOf('approved') }
    const answers = await Promise.all([1, 2, 3].map(() => shop.post(zero, { card }, carol)))
    expect(new Set(answers.map(({ body }) => body.token)).size).toBe(1)
  })
})

const as = (userId: string) => ({ ...shop.merchant(), 'x-svc-auth-user-id': userId })
const declinedAgain = {
  status: 410,
  body: { code: 'CARD_VALIDATION_EXPIRED', issues: ['originalPaymentId'] },
}

describe.each(['card-on-file', 'merchant-initiated-transaction'])('%s with an earlier payment', (call) => {
  const again = (originalPaymentId: string, userId = 'alice') =>
    shop.post(`/api/checkout/${call}`, { subtotal, originalPaymentId, webhookInfo: { n: 1 } }, as(userId))

  test('charges the payment’s card again, once per call', async () => {
    const { paymentId } = (await pay('approved')).body
    const [one, two] = [await again(paymentId), await again(paymentId)]
    expect(one.status).toBe(200)
    expect(new Set([paymentId, one.body.paymentId, two.body.paymentId]).size).toBe(3)
    expect(await paymentOf(one.body.paymentId)).toMatchObject({
      status: 'settled',
      userId: 'alice',
      subtotal,
      webhookInfo: { n: 1 },
    })
  })

  test('accepts the payment that saved the card', async () => {
    const card = { cardToken: await shop.tokenOf('approved') }
    const { paymentId } = (await shop.post('/api/checkout/zero-authorization/shop', { card }, alice)).body
    expect((await again(paymentId)).status).toBe(200)
  })

  test('charges neither another customer’s card nor a declined card', async () => {
    const { paymentId } = (await pay('approved')).body
    expect(await again(paymentId, 'bob')).toMatchObject(declinedAgain)
    const refused = (await pay('declined')).body.details.paymentId
    expect(await again(refused)).toMatchObject(declinedAgain)
    expect(await again('pay_of_nothing')).toMatchObject(declinedAgain)
  })

  test('returns 402 if the bank declines', async () => {
    const { paymentId } = (await pay('declinedLater')).body
    expect(await again(paymentId)).toMatchObject({ status: 402, body: { details: { reason: 'declined' } } })
  })

  test('requires the user id', async () => {
    const body = { subtotal, originalPaymentId: 'pay_1' }
    expect(await shop.post(`/api/checkout/${call}`, body, shop.merchant())).toMatchObject({
      status: 400,
      body: { issues: ['x-svc-auth-user-id'] },
    })
  })
})

test('a card on file can be charged only with its token and for its own customer', async () => {
  const card = { cardToken: await shop.tokenOf('approved') }
  const { paymentId, token } = (await shop.post('/api/checkout/zero-authorization/shop', { card }, alice))
    .body
  const again = (body: object, userId = 'alice') =>
    shop.post('/api/checkout/card-on-file', { subtotal, ...body }, as(userId))
  expect((await again({ token })).status).toBe(200)
  expect((await again({ token }, 'bob')).status).toBe(400)
  expect((await again({ token, originalPaymentId: paymentId })).status).toBe(400)
})

test('a merchant needs no cart, device or JWT to charge an absent customer', async () => {
  const { paymentId: originalPaymentId } = (await pay('approved')).body
  await shop.set({ chargebackProtection: true })
  const again = (call: string) =>
    shop.post(`/api/checkout/${call}`, { subtotal, originalPaymentId }, as('alice'))
  expect((await again('card-on-file')).body.issues).toEqual(['chargebackProtectionData', 'x-device-id'])
  expect((await again('merchant-initiated-transaction')).status).toBe(200)
  await shop.set({})
  const database = await shop.service.database()
  await database.update(merchants).set({ enforceCheckoutJwt: true }).where(eq(merchants.merchantId, 'shop'))
  expect((await again('card-on-file')).status).toBe(401)
  expect((await again('merchant-initiated-transaction')).status).toBe(200)
  await database.update(merchants).set({ enforceCheckoutJwt: false }).where(eq(merchants.merchantId, 'shop'))
})

describe('card numbers', () => {
  const { number } = testCards.approved
  const wrong = '4000009900000013'
  const spaced = number.replace(/(.{4})(?=.)/g, '$1 ')

  /**
   * Sends a card number in every field that must not contain one. The number must not appear in the response, in reported errors, in the
   * log, or in a row.
   */
  onEachDatabase(({ create }) => {
    let shop: TestShop
    let customer: Record<string, string>
    let merchant: Record<string, string>
    beforeAll(async () => {
      shop = await testShop(await create())
      customer = { ...(await shop.customer('alice')), ...onBase }
      merchant = { ...customer, ...shop.merchant() }
    })
    afterAll(() => shop?.close())

    const subtotal = { cents: 100 }
    const as = (body: object, path: string, who: 'customer' | 'merchant' = 'customer') => ({
      path,
      body,
      who,
    })
    test.each([
      as({ subtotal, bin: number }, '/api/checkout/totals/shop'),
      as({ subtotal: { cents: number } }, '/api/checkout/totals/shop'),
      as({ subtotal, [number]: 1 }, '/api/checkout/totals/shop'),
      as({ subtotal, settlementType: spaced }, '/api/checkout/totals/shop'),
      as({ subtotal }, `/api/checkout/totals/${number}`),
      as({ subtotal, email: 'a', merchantId: number }, '/api/checkout/pix'),
      as({ subtotal, email: Number(number), merchantId: 'shop' }, '/api/checkout/pix'),
      as({ subtotal, token: number, merchantId: 'shop' }, '/api/checkout/wire/token'),
      as({ subtotal, token: 'x', accountNumber: 7, merchantId: number }, '/api/checkout/wire/token'),
      as({ subtotal, settlementType: number }, '/api/checkout/mobileapp/shop', 'merchant'),
      as({ paymentId: number }, '/api/checkout/void', 'merchant'),
      as({ settlementType: number }, '/api/checkout/jwt-token', 'merchant'),
      as({ subtotal, jwtToken: number, card: { cardToken: number } }, '/api/checkout/card/shop'),
      as({ subtotal, card: number }, '/api/checkout/card/shop'),
      as({ subtotal, card: { number, cardToken: 'x' } }, '/api/checkout/card/shop'),
      as({ token: number }, '/api/checkout/zero-authorization/shop'),
      as({ subtotal, token: number }, '/api/checkout/token/shop'),
      as({ number, cvv: '123', expMonth: number, expYear: number }, '/api/tokenize', 'merchant'),
      ...[
        { number: `${number}0` },
        { number: wrong },
        { number: Number(number) },
        { number: Number(`${number}000`) },
        { number: `${number}\0` },
        { number, cvv: number },
        { number, [number]: number },
        { number, [`a${number}`]: 1 },
      ].map((card) => as({ cvv: '123', ...goodUntil, ...card }, '/api/tokenize', 'merchant')),
      as({ subtotal, card: { cardToken: number } }, '/api/checkout/card/shop'),
      as({ subtotal, card: { cardToken: Number(number) } }, '/api/checkout/card/shop'),
      as({ planCode: number, token: number }, '/api/subscription/shop/subscribers/token'),
      as(
        { planCode: 'x', token: 'x', threeDsChallengePreference: number },
        '/api/subscription/shop/subscribers/token',
      ),
      as({ refundReason: number }, `/api/merchant/payments/${number}/refund`, 'merchant'),
      as({ response: number }, `/api/merchant/chargebacks/${number}/respond`, 'merchant'),
      as({ routingNumber: number, accountNumber: number }, '/sandbox/wire-accounts', 'merchant'),
      as({ answer: number }, `/sandbox/3ds/${number}`),
      as({ answer: number }, `/sandbox/mobileapp/${number}`),
    ])('are not leaked from $path with $body', async ({ path, body, who }) => {
      shop.logged.length = 0
      const answer = await shop.post(path, body, who === 'customer' ? customer : merchant)
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(shop.logged).toHaveLength(1)
      await expectNone([answer, shop.logged])
    })

    test.each(['limit', 'after'])('are not leaked from the query parameter %s', async (name) => {
      shop.logged.length = 0
      const answer = await shop.get(`/api/customer/purchases/shop?${name}=${number}`, customer)
      expect(answer.status).toBe(400)
      await expectNone([answer, shop.logged])
    })

    test('are not leaked when a card is tokenized, charged, saved and declined', async () => {
      shop.logged.length = 0
      const answers = []
      for (const card of ['approved', 'declined', 'challenge'] as const) {
        const cardToken = await shop.tokenOf(card)
        answers.push(await shop.post('/api/checkout/card/shop', { subtotal, card: { cardToken } }, customer))
        answers.push(
          await shop.post('/api/checkout/zero-authorization/shop', { card: { cardToken } }, customer),
        )
      }
      expect(await allRows(shop)).toContain(number.slice(-4))
      await expectNone([answers, shop.logged])
    })

    test('are not leaked as a field name next to a checkout JWT', async () => {
      shop.logged.length = 0
      const made = await shop.post('/api/checkout/jwt-token', { subtotal, webhookInfo: { a: 1 } }, merchant)
      const body = {
        subtotal,
        webhookInfo: { [number]: 1 },
        jwtToken: made.body.checkoutJwtToken,
        email: 'a',
      }
      const answer = await shop.post('/api/checkout/pix', { ...body, merchantId: 'shop' }, customer)
      expect(answer.status).toBe(403)
      await expectNone([answer, shop.logged])
    })

    test('are not leaked in the error of a statement that the database rejects', async () => {
      const database = await shop.service.database()
      const error = await database.execute(sql`select ${number}::text::int`).catch((cause: unknown) => cause)
      expect(error).toBeInstanceOf(Error)
      expect(textOf([error, reportable(error)])).not.toContain(number)
    })

    async function expectNone(reported: unknown): Promise<void> {
      const text =
        textOf(reported) + textOf(shop.service.sandboxControls?.log.list(1000)) + (await allRows(shop))
      for (const { number: one } of Object.values(testCards)) expect(text).not.toContain(one)
      for (const one of [spaced, wrong]) expect(text).not.toContain(one)
    }
  })

  /** All text that a log could print of an error: messages, stacks and causes. */
  function textOf(value: unknown): string {
    if (value instanceof Error) {
      const { message, stack, cause } = value
      return `${message} ${stack} ${JSON.stringify(value)} ${textOf(cause)}`
    }
    return Array.isArray(value) ? value.map(textOf).join(' ') : (JSON.stringify(value) ?? '')
  }

  async function allRows({ service }: TestShop): Promise<string> {
    const database = await service.database()
    const names = await database.execute(
      sql`select table_schema as schema, table_name as name from information_schema.tables
        where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`,
    )
    const rows = Object(names).rows as { schema: string; name: string }[]
    const found = []
    for (const { schema, name } of rows)
      found.push(Object(await database.execute(sql.raw(`select * from "${schema}"."${name}"`))).rows)
    return JSON.stringify(found, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  }
})
