import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { onBase, type TestShop, testShop } from '../payments/payments.fixture.ts'
import { type RatedCurrency, sandboxRates } from './rates.ts'

/** Compares totals with fractions computed here, and with the amounts that each rail charges. */
let shop: TestShop
let customer: Record<string, string>
beforeAll(async () => {
  shop = await testShop()
  customer = { ...(await shop.customer('alice')), ...onBase }
})
afterAll(() => shop?.close())

type Fraction = readonly [dividend: bigint, divisor: bigint]
/** Decimal text as a fraction. */
function fraction(text: string): Fraction {
  const [whole = '', decimals = ''] = text.split('.')
  return [BigInt(whole + decimals), 10n ** BigInt(decimals.length)]
}
const times = (...parts: readonly Fraction[]): Fraction =>
  parts.reduce(([a, b], [c, d]) => [a * c, b * d], [1n, 1n])
const over = (part: Fraction, [c, d]: Fraction) => times(part, [d, c])
const up = ([a, b]: Fraction) => (a + b - 1n) / b
const rate = (currency: RatedCurrency) => fraction(sandboxRates[currency])

const currencies = ['USD', 'EUR', 'JPY', 'BRL', 'GBP'] as const
const decimal = (places: number, most: number) =>
  fc.integer({ min: 0, max: most * 10 ** places }).map((value) => {
    const digits = String(value).padStart(places + 1, '0')
    // As in JSON: the number's shortest form.
    return String(Number(`${digits.slice(0, -places)}.${digits.slice(-places)}`))
  })
const purchase = fc.record({
  // Above a cent of every currency's dollars.
  cents: fc.integer({ min: 1_000, max: 10_000_000 }),
  currency: fc.constantFrom(...currencies),
  feePercentage: decimal(4, 20),
  fixedFee: fc.integer({ min: 0, max: 10_000 }),
  custom: fc.record({
    cents: decimal(2, 1_000),
    currency: fc.constantFrom(...currencies),
    percent: decimal(3, 10),
  }),
})

type Purchase = typeof purchase extends fc.Arbitrary<infer one> ? one : never

function expected(
  { cents, currency, feePercentage, fixedFee, custom }: Purchase,
  railCurrency: RatedCurrency | undefined,
): number {
  const charged = railCurrency ?? currency
  const subtotal = up(over(times([BigInt(cents), 1n], rate(charged)), rate(currency)))
  const whole: Fraction = [subtotal, 1n]
  const lines = [
    subtotal,
    up(over(times(fraction(custom.cents), rate(charged)), rate(custom.currency))) +
      up(times(whole, fraction(custom.percent), [1n, 100n])),
    up(times(whole, fraction(feePercentage), [1n, 100n])),
    BigInt(fixedFee),
  ]
  return Number(lines.reduce((sum, line) => sum + line, 0n))
}

test('totals are exact to the cent on every rail', async () => {
  const account = await shop.post(
    '/sandbox/wire-accounts',
    { routingNumber: '021000021', accountNumber: '123456789' },
    shop.merchant(),
  )
  await fc.assert(
    fc.asyncProperty(purchase, async (one) => {
      const { cents, currency, feePercentage, fixedFee, custom } = one
      const body = {
        subtotal: { cents, currency },
        feePercentage: Number(feePercentage),
        fixedFee: { cents: fixedFee },
        customPayInFees: [
          {
            lineItemLabel: 'Service',
            fee: {
              cents: Number(custom.cents),
              currency: custom.currency,
              percent: Number(custom.percent),
            },
          },
        ],
      }
      const post = async (path: string, more: object = {}, who = customer) =>
        (await shop.post(path, { ...body, ...more }, who)).body
      const totals = await post('/api/checkout/totals/shop')
      expect(totals.card.total).toEqual({ cents: expected(one, undefined), currency })
      expect(totals.mobileapp.total).toEqual(totals.card.total)
      expect(totals.wire.total).toEqual({ cents: expected(one, 'USD'), currency: 'USD' })
      expect(totals.pix.total).toEqual({ cents: expected(one, 'BRL'), currency: 'BRL' })
      const pix = await post('/api/checkout/pix', { merchantId: 'shop', email: 'a@example.org' })
      expect(pix.quote).toEqual(totals.pix.total)
      const wire = await post('/api/checkout/wire/token', {
        merchantId: 'shop',
        token: account.body.token,
      })
      expect(wire.amount).toEqual(totals.wire.total)
      const app = await post(
        '/api/checkout/mobileapp/shop',
        {},
        { ...customer, ...shop.merchant(), 'x-svc-auth-user-id': 'alice' },
      )
      const { body: paid } = await shop.get(`/api/merchant/payments/${app.paymentId}`, shop.merchant())
      expect(paid.totals.total).toEqual(totals.mobileapp.total)
    }),
    { numRuns: 25 },
  )
})
