import {
  concat,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  keccak256,
  pad,
  slice,
  toHex,
} from 'viem'
import { describe, expect, test } from 'vitest'
import type { CallFrame } from '../redeemReport.ts'
import { accounts, frame, price, redeemFrame, report } from '../text/report.fixture.ts'
import { RuleNotJudgedError } from './rule.ts'
import { failedWith, ruleContext } from './rules.fixture.ts'
import { fixOfRejectedCaller, secondSale, seesOneCustomer } from './seesOneCustomer.ts'

const { credits, customer, shop, stranger, usdc } = accounts
const gold = slice(keccak256('0x'), 12)
const dust = slice(keccak256('0x01'), 12)
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** The result of one sale, or the reason of its failure. `others` is the amount that a third party pays and gets in the same call. */
type Sale =
  | { paid?: bigint; tokens?: number; coins?: bigint; coin?: Hex; nft?: Hex; others?: bigint; asks?: boolean }
  | string

function callOf(sale: Sale, { payer, to }: { payer: Hex; to: Hex }): CallFrame {
  if (typeof sale === 'string') return frame({ failure: sale })
  const { paid = price, tokens = 1, coins = 7n, coin = gold, nft = shop, others = 0n, asks = false } = sale
  const move = (address: Hex, from: Hex, receiver: Hex, rest: { id?: Hex; data?: Hex }) => ({
    address,
    topics: [transferTopic, pad(from), pad(receiver), ...(rest.id === undefined ? [] : [rest.id])] as const,
    data: rest.data ?? '0x',
    text: undefined,
  })
  return frame({
    logs: [
      move(usdc, payer, shop, { data: toHex(paid, { size: 32 }) }),
      move(usdc, stranger, shop, { data: toHex(others, { size: 32 }) }),
      move(coin, shop, to, { data: toHex(coins, { size: 32 }) }),
      move(coin, shop, stranger, { data: toHex(others, { size: 32 }) }),
      move(shop, shop, stranger, { id: toHex(others, { size: 32 }) }),
      ...(others > 0n ? [move(shop, shop, stranger, { id: toHex(99, { size: 32 }) })] : []),
      ...Array.from({ length: tokens }, (_, id) =>
        move(nft, pad('0x', { size: 20 }), to, { id: toHex(id, { size: 32 }) }),
      ),
    ],
    calls: asks ? [frame({ type: 'STATICCALL', from: shop, to: payer })] : [],
  })
}

/** Returns a shop whose sales depend on the number of earlier sales, for the credits contract and for another caller. */
function selling(
  saleOf: (place: number) => Sale | undefined,
  toCaller: Sale = {},
  options: Parameters<typeof ruleContext>[1] = {},
) {
  const runs: number[] = []
  const buyers: Hex[] = []
  const context = ruleContext(frame(), {
    succeeds: () => true,
    traceSequence: async (calls) => {
      runs.push(calls.length)
      const isAlone = runs.length % 2 === 0
      const sales = calls.map(({ data }, at) => {
        if (at % 2 === 0) return frame()
        const to = slice(calls[at - 1]?.data ?? data, 16, 36)
        buyers.push(to)
        if (isAlone && at === calls.length - 1)
          return frame({ calls: [frame(), callOf(toCaller, { payer: to, to })] })
        const sale = saleOf((at + 1) / 2)
        if (sale === undefined) return redeemFrame([])
        const call = callOf(sale, { payer: credits, to })
        return redeemFrame([call], typeof sale === 'string' ? { failure: sale } : {})
      })
      return frame({ calls: sales })
    },
    ...options,
  })
  return { context, runs, buyers }
}
const from3 = (sale: Sale | undefined) => (place: number) => (place < 3 ? {} : sale)

describe('later customers', () => {
  test.each<[string, Sale | undefined]>([
    ['fails: SoldOut', 'SoldOut'],
    ['fails: it made no call', undefined],
    ['takes 12.50 instead of 10.00 USDC', { paid: 12_500_000n }],
    [`delivers 0 tokens of ${shop} instead of 1`, { tokens: 0 }],
    [`delivers 2 tokens of ${shop} instead of 1`, { tokens: 2 }],
    [`delivers 0 tokens of ${shop} instead of 1`, { nft: stranger }],
    [`delivers 6 raw units of the ERC-20 token ${getAddress(gold)} instead of 7`, { coins: 6n }],
    [`delivers 0 raw units of the ERC-20 token ${getAddress(gold)} instead of 7`, { coin: dust }],
  ])('are reported if only they get a different result: purchase 3 %s', async (what, sale) => {
    const { context, runs, buyers } = selling(from3(sale))
    expect(await seesOneCustomer(context)).toMatchObject([
      {
        severity: 'warning',
        code: 'SEES_ONE_CUSTOMER',
        message: `The shop treats the credits contract as its only customer: purchase 3, by another customer, ${what}. A different caller still buys on the terms of the first customer.`,
      },
    ])
    // A payment and a redeem for each of 8 customers, then for 2 customers and the other caller.
    expect(runs).toEqual([16, 6])
    expect(buyers[0]).toBe(customer.toLowerCase())
    expect(new Set(buyers.slice(0, 8)).size).toBe(8)
  })

  test.each<[string, Sale, Sale]>([
    ['get the same result', {}, {}],
    ['get nothing, like another caller, because the stock has run out', 'SoldOut', 'SoldOut'],
    ['pay more, like another caller', { paid: price * 2n }, { paid: price * 2n }],
    ['get the same result, while third parties pay and get more', { others: 1n }, {}],
  ])('%s: no finding', async (_, sale, toCaller) => {
    expect(await seesOneCustomer(selling(from3(sale), toCaller).context)).toEqual([])
  })

  test.each<[string, bigint, number[]]>([
    ['as many as fit in one transaction', 10_000_000n, [4]],
    ['not simulated if two do not fit', 20_000_000n, []],
  ])('are %s', async (_, gasUsed, expected) => {
    const { context, runs } = selling(() => ({}), {}, { frame: redeemFrame([frame()], { gasUsed }) })
    expect(await seesOneCustomer(context)).toEqual([])
    expect(runs).toEqual(expected)
  })

  test.each<[string, Parameters<typeof ruleContext>[1]]>([
    ['a token that is sold once', { redeem: { ...report().redeem, shape: 'knownTokenId' } }],
    ['a redeem that failed', { execution: failedWith('SoldOut') }],
    ['a redeem without a call', { call: undefined }],
  ])('are not simulated for %s', async (_, options) => {
    const { context, runs } = selling(() => 'SoldOut', {}, options)
    expect([await seesOneCustomer(context), runs]).toEqual([[], []])
  })

  test.each<[string, Sale, Parameters<typeof ruleContext>[1]]>([
    ['the first of them cannot be simulated', 'no funds', {}],
    ['the sequence of purchases fails', {}, { traceSequence: async () => frame() }],
    ['the storage layout of this USDC is unknown', {}, { succeeds: () => false }],
  ])('are not judged if %s', async (_, sale, options) => {
    await expect(seesOneCustomer(selling(() => sale, {}, options).context)).rejects.toThrow(
      RuleNotJudgedError,
    )
  })
})

/** Returns a call in which the contract reads a USDC balance. */
const asksBalance = (account: Hex) => {
  const input = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [account] })
  const call = frame({ calls: [frame({ type: 'STATICCALL', from: shop, to: usdc, input })] })
  return { call, frame: redeemFrame([call]) }
}
/** Returns a slot of a mapping, under the caller or under another account. */
const slotOf = (account: Hex) => {
  const key = concat([pad(account), pad('0x01')]).toLowerCase() as Hex // lower-case hex is still hex
  return { key, slot: keccak256(key) }
}
const zero = pad('0x')
/** Returns what the redeem reads, and its result if a slot has a different value. */
const reading = (
  slots: readonly { address?: Hex; account?: Hex; slot?: Hex; value?: Hex }[],
  then: CallFrame,
) => {
  const read = slots.map(
    ({ address = shop, account = credits, slot = slotOf(account).slot, value = zero }) => ({
      address,
      slot,
      value,
    }),
  )
  const states: unknown[] = []
  const first = callOf({}, { payer: credits, to: customer })
  return {
    states,
    options: {
      call: first,
      frame: redeemFrame([first]),
      reads: async () => read,
      hashed: async () => [slotOf(credits).key, slotOf(customer).key],
      rerun: async ({ state }) => {
        states.push(state)
        const { failure } = then
        return { succeeded: failure === undefined, frame: redeemFrame([then], { failure }) }
      },
    } satisfies Parameters<typeof ruleContext>[1],
  }
}
const cheaper = callOf({ paid: 8_000_000n }, { payer: credits, to: customer })

describe('a sale that depends on what is stored for the caller', () => {
  test.each<[string, Hex, bigint]>([
    ['a balance of zero, replaced by a large one', zero, 2n ** 60n + 1n],
    ['a balance, replaced by zero', pad('0x05'), 0n],
  ])('is reported if all sales are equal: %s', async (_, value, other) => {
    const { options, states } = reading([{ value }], cheaper)
    // Changes in other slots are irrelevant.
    const changes = async () => [
      { address: shop, slot: pad('0x01'), value: zero },
      { address: stranger, slot: slotOf(credits).slot, value: zero },
    ]
    expect(
      (await seesOneCustomer(selling(() => ({}), {}, { ...options, changes }).context)).map(
        ({ message }) => message,
      ),
    ).toEqual([
      `The shop treats the credits contract as its only customer: it reads what ${shop} stores for that contract. With another value there, it takes 8.00 instead of 10.00 USDC.`,
    ])
    expect(states).toEqual([
      { [shop]: { stateDiff: { [slotOf(credits).slot]: toHex(other, { size: 32 }) } } },
    ])
  })

  test.each<[string, Parameters<typeof reading>[0], Parameters<typeof ruleContext>[1]]>([
    [
      'slots that the redeem changes',
      [{}],
      { changes: async () => [{ address: shop, slot: slotOf(credits).slot, value: zero }] },
    ],
    ['values stored for the customer', [{ account: customer }], {}],
    ['a variable outside mappings', [{ slot: pad('0x01') }], {}],
    ['values stored in USDC', [{ address: usdc }], {}],
    ['values that the credits contract stores for itself', [{ address: credits }], {}],
    ['a redeem that reads no slot', [], {}],
  ])('is not simulated for %s', async (_, slots, more) => {
    const { options, states } = reading(slots, cheaper)
    expect(await seesOneCustomer(selling(() => ({}), {}, { ...options, ...more }).context)).toEqual([])
    expect(states).toEqual([])
  })

  test('is reported for a value of the credits contract that the shop reads', async () => {
    const { options } = reading([{ address: credits }], cheaper)
    const call = frame({ ...options.call, calls: [frame({ type: 'STATICCALL', from: shop, to: credits })] })
    const { context } = selling(() => ({}), {}, { ...options, call })
    expect(await seesOneCustomer(context)).toHaveLength(1)
  })

  test('is not reported if the run fails or has the same result', async () => {
    for (const then of [frame({ failure: 'no' }), callOf({}, { payer: credits, to: customer })])
      expect(await seesOneCustomer(selling(() => ({}), {}, reading([{}], then).options).context)).toEqual([])
  })
})

describe('a sale that depends on the USDC of the caller', () => {
  const dearer = { paid: 12_500_000n }

  test('is reported if all sales are equal, except to another caller', async () => {
    const { context, runs } = selling(() => ({}), dearer, asksBalance(credits))
    expect((await seesOneCustomer(context)).map(({ message }) => message)).toEqual([
      'The shop treats the credits contract as its only customer: it reads the USDC of that contract. For a caller with a different USDC balance, it takes 12.50 instead of 10.00 USDC.',
    ])
    expect(runs).toEqual([16, 2])
  })

  test.each<[string, Sale, Parameters<typeof ruleContext>[1], number]>([
    ['the USDC of another account', dearer, asksBalance(stranger), 1],
    ['no balance', dearer, {}, 1],
    ['the USDC of its caller, but has the same result', {}, asksBalance(credits), 2],
    [
      'the USDC of its caller, and requires that the caller has the price',
      'too little',
      asksBalance(credits),
      2,
    ],
  ])('is not reported if the shop reads %s', async (_, toCaller, options, count) => {
    const { context, runs } = selling(() => ({}), toCaller, options)
    expect(await seesOneCustomer(context)).toEqual([])
    expect(runs).toHaveLength(count)
  })

  test('is not judged if the shop calls its caller', async () => {
    const { context } = selling(() => ({}), { ...dearer, asks: true }, asksBalance(credits))
    await expect(seesOneCustomer(context)).rejects.toThrow(RuleNotJudgedError)
  })
})

describe('a call that fails for the credits contract', () => {
  const failing = (then: CallFrame, toCaller: Sale) => {
    const { options } = reading([{}], then)
    const { context } = selling(() => 'no', toCaller, {
      ...options,
      frame: redeemFrame([frame({ failure: 'no' })], { failure: 'no' }),
      // The changes of a failed redeem are unknown.
      changes: () => Promise.reject(new Error('it failed')),
    })
    // The other caller buys alone, in the second run.
    return context.traceSequence([], {}).then(() => fixOfRejectedCaller(context))
  }

  test.each<[string, CallFrame, Sale, boolean]>([
    ['succeeds with other stored values', cheaper, 'no', true],
    ['succeeds for another caller', frame({ failure: 'no' }), {}, true],
    ['fails for other callers too', frame({ failure: 'no' }), 'no', false],
  ])(
    'gets a fix that names the caller only if another caller could buy: it %s',
    async (_, then, toCaller, isNamed) => {
      const fix = await failing(then, toCaller)
      expect(fix).toEqual(
        isNamed ? expect.stringContaining('Check the receiver in the call data, not msg.sender') : undefined,
      )
    },
  )
})

test.each<[string, Hex, boolean]>([
  ['padded, as OpenZeppelin’s library for lists does', pad(credits), true],
  ['packed', credits, true],
  ['as the key of a mapping', concat([pad(credits), pad('0x1')]), false],
])('the fix for a call that fails after it hashed its caller %s', async (_, data, isNamed) => {
  const { context } = selling(() => 'no', 'no', { hashed: async () => [data] })
  await context.traceSequence([], {})
  const fix = await fixOfRejectedCaller(context)
  expect(fix).toEqual(isNamed ? expect.stringContaining('the list contains the receiver') : undefined)
})

describe('a second purchase of the same customer that fails', () => {
  const again = { again: frame({ failure: 'once' }) }
  test.each<[string, (place: number) => Sale | undefined, number]>([
    ['is reported if other customers can buy', () => ({}), 1],
    ['is reported if only a third customer cannot', from3('SoldOut'), 1],
    [
      'is not reported if the second customer’s purchase fails too, which another rule reports',
      (place) => (place < 2 ? {} : 'once'),
      0,
    ],
    ['is reported if other customers cannot be simulated', () => 'no funds', 1],
  ])('%s', async (_, saleOf, count) => {
    expect(await secondSale(selling(saleOf, {}, again).context)).toHaveLength(count)
  })

  test('is compared with other customers only if the second call differs', async () => {
    const { context, runs } = selling(() => 'SoldOut', {}, { again: frame() })
    expect([await secondSale(context), runs]).toEqual([[], []])
  })
})
