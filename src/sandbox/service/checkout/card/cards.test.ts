import { readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { movePayment } from '../../payments/movePayment.ts'
import { goodUntil, type TestShop, testShop } from '../../payments/payments.fixture.ts'
import { testCards } from './testCards.ts'

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

const tokenize = (card: object, headers = shop.merchant()) =>
  shop.post('/api/tokenize', { ...testCards.approved, ...goodUntil, ...card }, headers)
const pay = async (card: keyof typeof testCards, more: object = {}) =>
  shop.post(checkout, { subtotal, card: { cardToken: await shop.tokenOf(card) }, ...more }, alice)
const paymentOf = async (paymentId: string) =>
  (await shop.get(`/api/merchant/payments/${paymentId}`, shop.merchant())).body

describe('a token', () => {
  test('stands for the card', async () => {
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

  test('is another one each time', async () => {
    expect((await tokenize({})).body.token).not.toBe((await tokenize({})).body.token)
  })

  test.each([
    ['a wrong check digit', { number: '4000009900000013' }, 'INVALID_CARD_NUMBER'],
    ['letters', { number: '400000990000001x' }, 'INVALID_CARD_NUMBER'],
    ['too few digits', { number: '40000099000' }, 'INVALID_CARD_NUMBER'],
    ['another CVV', { cvv: '124' }, 'INVALID_CVV'],
    ['a CVV of two digits of an unknown card', { number: '4242424242424242', cvv: '12' }, 'INVALID_CVV'],
    ['a month that has passed', { expMonth: '04', expYear: '26' }, 'CARD_EXPIRED'],
    ['a 13th month', { expMonth: '13' }, 'INVALID_REQUEST'],
    ['a year of three digits', { expYear: '203' }, 'INVALID_REQUEST'],
  ])('is not made of %s', async (_, card, code) => {
    expect(await tokenize(card)).toMatchObject({ status: 400, body: { code } })
  })

  test('is made until the last moment of its month', async () => {
    const may = { expMonth: '5', expYear: '2026' }
    shop.setTime(Date.parse('2026-05-31T23:59:59.999Z'))
    expect((await tokenize(may)).status).toBe(200)
    shop.setTime(Date.parse('2026-06-01T00:00:00Z'))
    expect((await tokenize(may)).body.code).toBe('CARD_EXPIRED')
  })

  test('needs the API key', async () => {
    expect((await tokenize({}, { authorization: 'sk_wrong' })).status).toBe(401)
  })

  test('works for its own merchant only', async () => {
    const cardToken = await shop.tokenOf('approved', 'other')
    expect(await shop.post(checkout, { subtotal, card: { cardToken } }, alice)).toMatchObject({
      status: 400,
      body: { issues: ['card.cardToken'] },
    })
  })

  test('pays no more once its card has expired', async () => {
    const { body } = await tokenize({ expMonth: '05', expYear: '26' })
    shop.setTime(Date.parse('2026-06-01T00:00:00Z'))
    const later = await shop.customer('alice')
    const answer = await shop.post(checkout, { subtotal, card: { cardToken: body.token } }, later)
    expect(answer).toMatchObject({ status: 400, body: { code: 'CARD_EXPIRED' } })
  })

  test('is refused beside an expiry that is not its card’s', async () => {
    const cardToken = await shop.tokenOf('approved')
    const card = { cardToken, expMonth: '12', expYear: '31' }
    expect((await shop.post(checkout, { subtotal, card }, alice)).body.issues).toEqual(['card.expYear'])
  })
})

describe('the published numbers', () => {
  test('pass the Luhn check', async () => {
    for (const card of Object.values(testCards)) expect((await tokenize(card)).status).toBe(200)
  })

  test('are those of docs/sandbox.md', () => {
    const page = readFileSync(new URL('../../../../../docs/sandbox.md', import.meta.url), 'utf8')
    const published = [...page.matchAll(/^\| `(\d{16})` \|/gm)].map(([, number]) => number)
    expect(published).toEqual(Object.values(testCards).map(({ number }) => number))
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

describe('3DS', () => {
  const challenge = async (more: object = {}) => {
    const body = { subtotal, card: { cardToken: await shop.tokenOf('challenge') }, ...more }
    const first = await shop.post(checkout, body, alice)
    const { transactionId, url } = first.body.details
    const again = (changes: object = {}) =>
      shop.post(checkout, { ...body, authentication3DS: { transactionId }, ...changes }, alice)
    return { first, page: new URL(url).pathname, transactionId, again }
  }

  test('is a 412 with its page', async () => {
    const { first } = await challenge()
    expect(first).toMatchObject({
      status: 412,
      body: {
        code: 'CHALLENGE_REQUIRED',
        details: { transactionId: expect.any(String), url: expect.stringMatching(/\/sandbox\/3ds\//) },
      },
    })
  })

  test('approved on its page, the same body pays', async () => {
    const { page, again } = await challenge()
    expect((await shop.get(page)).body).toContain('12.50 USD')
    expect((await shop.form(page, { answer: 'approve' })).body).toContain('Thank you')
    expect(await again()).toMatchObject({ status: 200, body: { status: 'settled' } })
  })

  test('paid once, however often the same body comes', async () => {
    const { page, again } = await challenge()
    await shop.post(page, { answer: 'approve' })
    const answers = await Promise.all([again(), again(), again()])
    expect(new Set(answers.map(({ body }) => body.paymentId)).size).toBe(1)
    expect(answers.map(({ body }) => body.status)).toEqual(['settled', 'settled', 'settled'])
  })

  test('what has failed since is told as such to whoever sends it again', async () => {
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

  test('without an answer it is asked for again', async () => {
    const { again, transactionId } = await challenge()
    expect(await again()).toMatchObject({ status: 412, body: { details: { transactionId } } })
  })

  test('failed, the card is declined', async () => {
    const { page, again } = await challenge()
    await shop.post(page, { answer: 'fail' })
    const { status, body } = await again()
    expect({ status, body }).toMatchObject({ status: 402, body: { details: { reason: 'challengeFailed' } } })
    expect((await paymentOf(body.details.paymentId)).status).toBe('failed')
  })

  test('is answered once', async () => {
    const { page } = await challenge()
    await shop.post(page, { answer: 'fail' })
    expect((await shop.post(page, { answer: 'approve' })).body.code).toBe('PAYMENT_STATE')
  })

  test('is good for the same purchase only', async () => {
    const { page, again } = await challenge()
    await shop.post(page, { answer: 'approve' })
    expect((await again({ subtotal: { cents: 1, currency: 'USD' } })).body.code).toBe('INTENT_MISMATCH')
  })

  test('is good for the same customer only', async () => {
    const { page, transactionId } = await challenge()
    await shop.post(page, { answer: 'approve' })
    const body = { subtotal, card: { cardToken: await shop.tokenOf('challenge') } }
    const bob = await shop.customer('bob')
    const answer = await shop.post(checkout, { ...body, authentication3DS: { transactionId } }, bob)
    expect(answer.body.code).toBe('INTENT_MISMATCH')
  })

  test('passed elsewhere, with its proof, is not asked for', async () => {
    const proof = { cavv: 'c', eci: '05', dsTransactionId: 'd', acsTransactionId: 'a', version: '2.2.0' }
    const authentication3DS = { transactionId: 't', ...proof }
    expect((await pay('challenge', { authentication3DS })).body.status).toBe('settled')
  })

  test('comes beside what the browser is like', async () => {
    const authentication3DS = { colorDepth: 24, screenHeight: 1, screenWidth: 1, timeZone: 0 }
    expect((await pay('challenge', { authentication3DS })).body.code).toBe('CHALLENGE_REQUIRED')
  })

  test('comes for any card, when the merchant wants it', async () => {
    const answer = await pay('approved', { threeDsChallengePreference: 'Challenge' })
    expect(answer.body.code).toBe('CHALLENGE_REQUIRED')
  })

  test('cannot be answered after ten minutes', async () => {
    const { page, again } = await challenge()
    shop.setTime(start + 600_000)
    expect((await shop.post(page, { answer: 'approve' })).body.code).toBe('PAYMENT_STATE')
    expect((await again()).body.code).toBe('PAYMENT_STATE')
  })
})

describe('authOnly', () => {
  test('holds the money, and a void gives it back', async () => {
    const { body } = await pay('approved', { authOnly: true })
    expect(body.status).toBe('authorized')
    const gone = await shop.post('/api/checkout/void', { paymentId: body.paymentId }, shop.merchant())
    expect(gone).toEqual({ status: 200, body: {} })
    expect((await paymentOf(body.paymentId)).status).toBe('voided')
  })

  test('is voided once', async () => {
    const { body } = await pay('approved', { authOnly: true })
    await shop.post('/api/checkout/void', { paymentId: body.paymentId }, shop.merchant())
    const again = await shop.post('/api/checkout/void', { paymentId: body.paymentId }, shop.merchant())
    expect(again).toMatchObject({
      status: 409,
      body: { code: 'PAYMENT_STATE', details: { status: 'voided' } },
    })
  })

  test('a payment that has settled is not voided', async () => {
    const { body } = await pay('approved')
    const answer = await shop.post('/api/checkout/void', { paymentId: body.paymentId }, shop.merchant())
    expect(answer).toMatchObject({ status: 409, body: { code: 'PAYMENT_STATE' } })
  })
})

describe('a card on file', () => {
  const zero = '/api/checkout/zero-authorization/shop'
  const save = async (card: keyof typeof testCards, who = alice) =>
    shop.post(zero, { card: { cardToken: await shop.tokenOf(card) } }, who)

  test('is saved after a payment of nothing, which is voided', async () => {
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

  test('is charged later', async () => {
    const { token } = (await save('approved')).body
    expect(await shop.post('/api/checkout/token/shop', { subtotal, token }, alice)).toMatchObject({
      status: 200,
      body: { status: 'settled' },
    })
  })

  test('that asks for a challenge does so once, when it is saved', async () => {
    const body = { card: { cardToken: await shop.tokenOf('challenge') } }
    const { transactionId, url } = (await shop.post(zero, body, alice)).body.details
    await shop.post(new URL(url).pathname, { answer: 'approve' })
    const saved = await shop.post(zero, { ...body, authentication3DS: { transactionId } }, alice)
    expect(saved.status).toBe(200)
    const paid = await shop.post('/api/checkout/token/shop', { subtotal, token: saved.body.token }, alice)
    expect(paid.body.status).toBe('settled')
  })

  test('that is declined is not saved', async () => {
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

  test('is one, however often it is saved', async () => {
    const carol = await shop.customer('carol')
    const card = { cardToken: await shop.tokenOf('approved') }
    const answers = await Promise.all([1, 2, 3].map(() => shop.post(zero, { card }, carol)))
    expect(new Set(answers.map(({ body }) => body.token)).size).toBe(1)
  })
})

test('no number of a card is in the database, in an answer or in a log', async () => {
  const { number, cvv } = testCards.approved
  const wrong = '4000009900000013'
  const answers = [
    await tokenize({ number, cvv }),
    await tokenize({ number: wrong }),
    await tokenize({ number: Number(number) }),
    await tokenize({ number: `${number}\0` }),
    await tokenize({ number, cvv: number }),
    await tokenize({ number, expMonth: number }),
    await tokenize({ number, [number]: number }),
    await tokenize({ [`a${number}`]: 1 }),
    await tokenize({ number: Number(`${number}000`) }),
    await shop.post(checkout, { subtotal, card: { cardToken: number } }, alice),
    await shop.post(checkout, { subtotal, card: { cardToken: Number(number) } }, alice),
    await shop.post(checkout, { subtotal, card: { number } }, alice),
    await shop.post(checkout, { subtotal, card: number }, alice),
    await shop.post('/api/checkout/token/shop', { subtotal, token: number }, alice),
  ]
  const database = await shop.service.database()
  const { rows } = (await database.execute(
    sql`select table_name as name from information_schema.tables where table_schema = 'public'`,
  )) as { rows: { name: string }[] } // PGlite's own result
  expect(rows.length).toBeGreaterThan(15)
  const dump = await Promise.all(
    rows.map(
      async ({ name }) => (await database.execute(sql.raw(`select t::text from "${name}" t`))) as object,
    ),
  )
  const texts = [answers, dump, shop.logged.map(wholeError)].map((part) => JSON.stringify(part))
  expect(texts[1]).toContain('0012')
  expect(texts[2]).toContain('INVALID_CARD_NUMBER')
  for (const text of texts) {
    expect(text).not.toContain(number)
    expect(text).not.toContain(wrong)
  }
})

/** Everything that a log could print of an error. */
function wholeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  return {
    ...error,
    name: error.name,
    text: String(error),
    stack: error.stack,
    cause: wholeError(error.cause),
  }
}
