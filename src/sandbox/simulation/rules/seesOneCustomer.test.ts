import { type Hex, pad, slice, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import type { CallFrame } from '../redeemReport.ts'
import { accounts, frame, price, redeemFrame, report } from '../text/report.fixture.ts'
import { RuleNotJudgedError } from './rule.ts'
import { economicContext, failedWith } from './rules.fixture.ts'
import { secondSale, seesOneCustomer } from './seesOneCustomer.ts'

const { credits, shop, usdc } = accounts
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** The result of one sale, or its failure. */
type Sale = { paid?: bigint; tokens?: number } | string

function callOf(sale: Sale, { payer, to }: { payer: Hex; to: Hex }): CallFrame {
  if (typeof sale === 'string') return frame({ failure: sale })
  const { paid = price, tokens = 1 } = sale
  const move = (address: Hex, from: Hex, receiver: Hex, rest: { id?: Hex; data?: Hex }) => ({
    address,
    topics: [transferTopic, pad(from), pad(receiver), ...(rest.id === undefined ? [] : [rest.id])] as const,
    data: rest.data ?? '0x',
    text: undefined,
  })
  return frame({
    logs: [
      move(usdc, payer, shop, { data: toHex(paid, { size: 32 }) }),
      ...Array.from({ length: tokens }, (_, id) =>
        move(shop, pad('0x', { size: 20 }), to, { id: toHex(id, { size: 32 }) }),
      ),
    ],
  })
}

/** A shop whose price depends on the number of earlier sales, for the credits contract and for another caller. */
function selling(
  saleOf: (place: number) => Sale,
  toCaller: Sale = {},
  options: Parameters<typeof economicContext>[1] = {},
) {
  const runs: number[] = []
  const context = economicContext(frame(), {
    succeeds: () => true,
    traceSequence: async (calls) => {
      runs.push(calls.length)
      const isAlone = runs.length % 2 === 0
      const sales = calls.map(({ data }, at) => {
        if (at % 2 === 0) return frame()
        const to = slice(calls[at - 1]?.data ?? data, 16, 36)
        if (isAlone && at === calls.length - 1)
          return frame({ calls: [frame(), callOf(toCaller, { payer: to, to })] })
        const sale = saleOf((at + 1) / 2)
        const call = callOf(sale, { payer: credits, to })
        return redeemFrame([call], typeof sale === 'string' ? { failure: sale } : {})
      })
      return frame({ calls: sales })
    },
    ...options,
  })
  return { context, runs }
}
const from3 = (sale: Sale) => (place: number) => (place < 3 ? {} : sale)

describe('later customers', () => {
  test.each<[string, Sale]>([
    ['fails: SoldOut', 'SoldOut'],
    ['takes 12.50 instead of 10.00 USDC', { paid: 12_500_000n }],
    ['delivers 0 tokens instead of 1', { tokens: 0 }],
  ])('get something else, and another caller does not: purchase 3 %s', async (what, sale) => {
    const { context, runs } = selling(from3(sale))
    expect(await seesOneCustomer(context)).toMatchObject([
      {
        severity: 'warning',
        code: 'SEES_ONE_CUSTOMER',
        message: `The shop sees every customer as the credits contract: purchase 3, by another customer, ${what}. Another caller still buys like the first customer.`,
      },
    ])
    // A payment and a redeem for each of 8 customers, then of 2 customers and the caller.
    expect(runs).toEqual([16, 6])
  })

  test.each<[string, Sale, Sale]>([
    ['get the same', {}, {}],
    ['get nothing, as another caller: the stock has ended', 'SoldOut', 'SoldOut'],
    ['pay more, as another caller', { paid: price * 2n }, { paid: price * 2n }],
  ])('%s', async (_, sale, toCaller) => {
    expect(await seesOneCustomer(selling(from3(sale), toCaller).context)).toEqual([])
  })

  test.each<[string, bigint, number[]]>([
    ['as many as fit in one transaction', 10_000_000n, [4]],
    ['none, if two do not fit', 20_000_000n, []],
  ])('are %s', async (_, gasUsed, expected) => {
    const { context, runs } = selling(() => ({}), {}, { frame: redeemFrame([frame()], { gasUsed }) })
    expect(await seesOneCustomer(context)).toEqual([])
    expect(runs).toEqual(expected)
  })

  test.each<[string, Parameters<typeof economicContext>[1]]>([
    ['of a token that is sold once', { redeem: { ...report().redeem, shape: 'knownTokenId' } }],
    ['of a redeem that failed', { execution: failedWith('SoldOut') }],
    ['of a redeem without a call', { call: undefined }],
  ])('%s do not buy', async (_, options) => {
    const { context, runs } = selling(() => 'SoldOut', {}, options)
    expect([await seesOneCustomer(context), runs]).toEqual([[], []])
  })

  test.each<[string, Sale, Parameters<typeof economicContext>[1]]>([
    ['the first of them cannot be simulated', 'no funds', {}],
    ['the storage of this USDC is unknown', {}, { succeeds: () => false }],
  ])('are not judged if %s', async (_, sale, options) => {
    await expect(seesOneCustomer(selling(() => sale, {}, options).context)).rejects.toThrow(
      RuleNotJudgedError,
    )
  })
})

describe('a second purchase of the same customer that fails', () => {
  const again = { again: frame({ failure: 'once' }) }
  test.each<[string, (place: number) => Sale, number]>([
    ['is reported if others can buy', () => ({}), 1],
    ['is reported if only a third customer cannot', from3('SoldOut'), 1],
    [
      'is not reported if the second customer cannot either: another rule does',
      (place) => (place < 2 ? {} : 'once'),
      0,
    ],
    ['is reported if others cannot be simulated', () => 'no funds', 1],
  ])('%s', async (_, saleOf, count) => {
    expect(await secondSale(selling(saleOf, {}, again).context)).toHaveLength(count)
  })

  test('is asked for only if it differs', async () => {
    const { context, runs } = selling(() => 'SoldOut', {}, { again: frame() })
    expect([await secondSale(context), runs]).toEqual([[], []])
  })
})
