import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { networkOf } from '../../../redeemkit/solana/networks.ts'
import { onBase, type TestShop, testShop } from '../payments/payments.fixture.ts'
import { type RatedCurrency, sandboxRates } from './rates.ts'

let shop: TestShop
let alice: Record<string, string>

beforeAll(async () => {
  shop = await testShop()
  alice = await shop.customer('alice')
})
beforeEach(() => shop.set({}))
afterAll(() => shop?.close())

const usd = (cents: number) => ({ cents, currency: 'USD' })
const totals = (body: object, headers: Record<string, string> = {}) =>
  shop.post('/api/checkout/totals/shop', body, { ...alice, ...headers })
/** The fee lines of a card payment with a subtotal of 10.00 dollars. */
const fees = async (body: object, cents = 1000) => {
  const answer = await totals({ subtotal: usd(cents), ...body })
  if (answer.status !== 200) return answer.body.issues
  expect(answer.body.card.total.cents).toBe(
    cents + answer.body.card.lines.reduce((sum: number, line: { cents: number }) => sum + line.cents, 0),
  )
  return answer.body.card.lines.map((line: { cents: number }) => line.cents)
}
const custom = (fee: object) => ({ customPayInFees: [{ fee, lineItemLabel: 'Service' }] })

test('each fee has a line and a field, and the total is their sum', async () => {
  const { body } = await totals({
    subtotal: usd(1000),
    ...custom({ percent: 2.9 }),
    feePercentage: 5,
    fixedFee: { cents: 30 },
  })
  expect(body.card).toEqual({
    subtotal: usd(1000),
    creditCardFees: usd(0),
    chargebackProtectionFees: usd(0),
    gasFees: usd(0),
    payInFees: usd(29),
    marketplaceFees: usd(80),
    total: usd(1109),
    lines: [
      { label: 'Service', cents: 29 },
      { label: 'Marketplace fee', cents: 50 },
      { label: 'Fixed fee', cents: 30 },
    ],
  })
})

describe('a percentage is computed exactly, then rounded up to a cent:', () => {
  test.each([
    [2.9, 1000, 29],
    [2.9, 1001, 30],
    [0.1, 1000, 1],
    [0.1, 1001, 2],
    // In floating point, 1.1 % of 1000 is 11.000000000000002.
    [1.1, 1000, 11],
    [0.07, 10_000, 7],
    [1e-7, 1000, 1],
    [0, 1000, 0],
    [250, 1000, 2500],
  ])('%f percent of %i cents is %i', async (percent, cents, fee) => {
    expect(await fees({ feePercentage: percent }, cents)).toEqual([fee])
    expect(await fees(custom({ percent }), cents)).toEqual([fee])
  })
})

describe('a merchant’s custom fee can be', () => {
  test.each([
    ['an amount', { cents: 30, currency: 'USD' }, [30]],
    ['a fraction of a cent', { cents: 30.01, currency: 'USD' }, [31]],
    ['an amount and a percentage', { cents: 30, currency: 'USD', percent: 2.9 }, [59]],
    ['an amount and a percentage, fixed', { cents: 30, currency: 'USD', percent: 2.9, isFixed: true }, [30]],
    [
      'an amount and a percentage, not fixed',
      { cents: 30, currency: 'USD', percent: 2.9, isFixed: false },
      [29],
    ],
    ['a percentage with nulls', { percent: 2.9, cents: null, currency: null }, [29]],
    ['a percentage and an amount without a currency', { percent: 2.9, cents: 30, currency: null }, [59]],
    ['another currency', { cents: 540, currency: 'BRL' }, [100]],
    ['another currency, rounded up', { cents: 541, currency: 'BRL' }, [101]],
  ])('%s', async (_, fee, lines) => {
    expect(await fees(custom(fee))).toEqual(lines)
  })

  test.each([
    ['a negative amount', { cents: -1, currency: 'USD' }, 'customPayInFees.0.fee.cents'],
    ['a percentage without an amount, fixed', { percent: 2.9, isFixed: true }, 'customPayInFees.0.fee.cents'],
    ['a currency without a rate', { cents: 1, currency: 'KPW' }, 'customPayInFees.0.fee.currency'],
    ['a percentage below the minimum', { percent: 1e-300 }, 'customPayInFees.0.fee.percent'],
  ])('anything but %s', async (_, fee, issue) => {
    expect(await fees(custom(fee))).toEqual([issue])
  })
})

describe('currencies', () => {
  test('cards are charged in the subtotal’s currency, wires in dollars, Pix in reais', async () => {
    const { body } = await totals({ subtotal: { cents: 900, currency: 'EUR' }, feePercentage: 10 })
    expect([body.card.total, body.mobileapp.total]).toEqual([
      { cents: 990, currency: 'EUR' },
      { cents: 990, currency: 'EUR' },
    ])
    expect(body.wire.total).toEqual(usd(1100))
    expect(body.pix.total).toEqual({ cents: 5940, currency: 'BRL' })
  })

  test('cents without a currency are dollars', async () => {
    expect((await totals({ subtotal: { cents: 5 } })).body.card.total).toEqual(usd(5))
  })

  test('a currency without a rate is rejected', async () => {
    expect(await totals({ subtotal: { cents: 5, currency: 'KPW' } })).toMatchObject({
      status: 400,
      body: { code: 'UNSUPPORTED_SUBTOTAL', issues: ['subtotal.currency'] },
    })
  })

  test('a fraction of a cent in USDC costs a whole cent', async () => {
    const { usdcMint: address } = networkOf('sandbox')
    const onSolana = { ...onBase, 'x-svc-auth-blockchain': 'solana' }
    const total = async (amount: string) =>
      (await totals({ subtotal: { address, amount } }, onSolana)).body.card.total
    expect([await total('10'), await total('10.000001')]).toEqual([usd(1000), usd(1001)])
  })

  test('a token other than the chain’s USDC is rejected', async () => {
    const subtotal = { address: '0x5FbDB2315678afecb367f032d93F642f64180aa3', amount: '1.5' }
    expect((await totals({ subtotal }, onBase)).body.code).toBe('UNSUPPORTED_SUBTOTAL')
    expect((await totals({ subtotal })).body.issues).toEqual(['x-svc-auth-blockchain'])
  })
})

test('a subtotal of zero is rejected', async () => {
  expect((await totals({ subtotal: usd(0) })).body.issues).toEqual(['subtotal'])
})

test('a total with fees above 2^53 - 1 cents is rejected', async () => {
  expect((await totals({ subtotal: usd(Number.MAX_SAFE_INTEGER), feePercentage: 1 })).body.issues).toEqual([
    'subtotal',
  ])
})

test('a merchant’s minimum and maximum are inclusive', async () => {
  await shop.set({ minimumCents: 500, maximumCents: 1000 })
  const statuses = [499, 500, 1000, 1001].map(
    async (cents) => (await totals({ subtotal: usd(cents) })).status,
  )
  expect(await Promise.all(statuses)).toEqual([400, 200, 200, 400])
})

test('a merchant’s card fees are added for cards only, each rounded up', async () => {
  await shop.set({ cardFees: { fixedCents: 30, variableBps: 1.5 } })
  const { body } = await totals({ subtotal: { cents: 900, currency: 'EUR' } })
  // 0.30 USD equal 0.27 EUR; 0.015 % of 9.00 are 0.135 cents.
  expect(body.card).toMatchObject({
    creditCardFees: { cents: 28, currency: 'EUR' },
    total: { cents: 928, currency: 'EUR' },
  })
  expect(body.card).not.toHaveProperty('networkFees')
  expect([body.wire.total, body.pix.total, body.mobileapp.total].map(({ cents }) => cents)).toEqual([
    1000, 5400, 900,
  ])
})

test('rent is charged on Solana only', async () => {
  expect((await totals({ subtotal: usd(1000), rent: { lamports: 2_039_280 } }, onBase)).body.issues).toEqual([
    'rent',
  ])
})

test.each([
  ['less than one US cent', { cents: 1, currency: 'JPY' }],
  ['more than 2^53 - 1 US cents', { cents: Number.MAX_SAFE_INTEGER, currency: 'EUR' }],
])('a subtotal of %s is rejected, because it could not be settled', async (_, subtotal) => {
  expect(await totals({ subtotal })).toMatchObject({ status: 400, body: { issues: ['subtotal'] } })
})

describe('on every rail', () => {
  /** Compares totals with fractions computed in this test, and with the amounts that each rail charges. */
  let shop: TestShop
  let customer: Record<string, string>
  beforeAll(async () => {
    shop = await testShop()
    customer = { ...(await shop.customer('alice')), ...onBase }
  })
  afterAll(() => shop?.close())

  type Fraction = readonly [dividend: bigint, divisor: bigint]
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
      // The shortest decimal form of the number, as in JSON.
      return String(Number(`${digits.slice(0, -places)}.${digits.slice(-places)}`))
    })
  const purchase = fc.record({
    // The minimum is worth more than one US cent in every currency.
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

  test('totals are exact to the cent', async () => {
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
})
