import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { onEachDatabase } from '../../../../../test/postgres/onEachDatabase.ts'
import { reportable } from '../../../reportable.ts'
import { onBase, type TestShop, testShop } from '../../payments/payments.fixture.ts'
import { testCards } from './cards.ts'

const { number } = testCards.approved
const spaced = number.replace(/(.{4})(?=.)/g, '$1 ')

/**
 * A card number in every wrong place: it must not appear in the response, in reported errors, in the
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
  const as = (body: object, path: string, who: 'customer' | 'merchant' = 'customer') => ({ path, body, who })
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
    as({ number: `${number}0`, cvv: '123', expMonth: '1', expYear: '30' }, '/api/tokenize', 'merchant'),
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
  ])('$path $body', async ({ path, body, who }) => {
    shop.logged.length = 0
    const answer = await shop.post(path, body, who === 'customer' ? customer : merchant)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    await expectNone([answer, shop.logged])
  })

  test.each(['limit', 'after'])('in the query: %s', async (name) => {
    shop.logged.length = 0
    const answer = await shop.get(`/api/customer/purchases/shop?${name}=${number}`, customer)
    expect(answer.status).toBe(400)
    await expectNone([answer, shop.logged])
  })

  test('a card that is tokenized, charged, saved and declined', async () => {
    shop.logged.length = 0
    const answers = []
    for (const card of ['approved', 'declined', 'challenge'] as const) {
      const cardToken = await shop.tokenOf(card)
      answers.push(await shop.post('/api/checkout/card/shop', { subtotal, card: { cardToken } }, customer))
      answers.push(
        await shop.post('/api/checkout/zero-authorization/shop', { card: { cardToken } }, customer),
      )
    }
    await expectNone([answers, shop.logged])
  })

  test('as a field name beside a checkout JWT', async () => {
    shop.logged.length = 0
    const made = await shop.post('/api/checkout/jwt-token', { subtotal, webhookInfo: { a: 1 } }, merchant)
    const body = { subtotal, webhookInfo: { [number]: 1 }, jwtToken: made.body.checkoutJwtToken, email: 'a' }
    const answer = await shop.post('/api/checkout/pix', { ...body, merchantId: 'shop' }, customer)
    expect(answer.status).toBe(403)
    await expectNone([answer, shop.logged])
  })

  test('in the error of a database that refuses a statement', async () => {
    const database = await shop.service.database()
    const error = await database.execute(sql`select ${number}::text::int`).catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(Error)
    expect(textOf([error, reportable(error)])).not.toContain(number)
  })

  async function expectNone(reported: unknown): Promise<void> {
    const text =
      textOf(reported) + textOf(shop.service.sandboxControls?.log.list(1000)) + (await allRows(shop))
    for (const { number: one } of Object.values(testCards)) expect(text).not.toContain(one)
    expect(text).not.toContain(spaced)
  }
})

/** Everything that a log could print: errors with messages, stacks and causes. */
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
