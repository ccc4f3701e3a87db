import { describe, expect, test } from 'vitest'
import type { CallFrame } from '../redeemReport.ts'
import type { Circumstances } from '../runPlan.ts'
import { accounts, frame, redeemFrame, report } from '../text/report.fixture.ts'
import { keepsMoneyOnShortGas } from './gas.ts'
import type { RuleContext } from './rule.ts'
import { failedWith, ruleContext } from './rules.fixture.ts'

const { customer, shop, stranger, usdc, credits } = accounts

/** Returns the delivery to the customer. 100,000 gas of the call are used before it, and the delivery gets 63/64 of the rest. */
const delivery = (changes: Partial<CallFrame> = {}) =>
  frame({ from: shop, to: stranger, gas: 630_000n, gasUsed: 64_000n, ...changes })
const called = (calls: readonly CallFrame[], changes: Partial<CallFrame> = {}) =>
  frame({ gas: 740_000n, gasUsed: 170_000n, calls, ...changes })
const full = called([delivery()])

type Short = (gas: bigint) => CallFrame | undefined
/** A whitelist entry that requires no gas. */
const free = { ...report().whitelist, minimumGas: undefined }
/** Returns all gas limits that were simulated, and the findings. */
async function judged(
  call: CallFrame,
  short: Short,
  changes: Partial<RuleContext> = {},
  redeemGas = 100_000n,
) {
  const tried: bigint[] = []
  const context = ruleContext(call, {
    rerun: async ({ callGas = 0n, onlyTopCall }: Circumstances) => {
      if (onlyTopCall) tried.push(callGas)
      const found = short(callGas)
      const root = redeemFrame(found === undefined ? [] : [found], {
        gasUsed: redeemGas,
        failure: found === undefined ? 'out of gas' : undefined,
      })
      return { succeeded: found !== undefined, frame: root }
    },
    ...changes,
  })
  const findings = await keepsMoneyOnShortGas(context)
  return { tried, said: findings.map(({ message }) => message) }
}
/** Simulates a call whose delivery fails below this much gas, and which catches the failure. */
const caughtBelow =
  (least: bigint): Short =>
  (gas) =>
    gas < least ? called([delivery({ failure: 'it ran out of gas' })]) : full

test('simulates gas at which the delivery gets 95, 60 and 30 % of what it uses, and the gas that the call needs', async () => {
  const { tried } = await judged(full, () => undefined, {
    entry: free,
  })
  // 100,000 before the delivery, plus 64/63 of the delivery's share.
  const needed = (share: bigint) => (((64_000n * share) / 100n) * 64n) / 63n + 100_000n
  expect(tried).toEqual([needed(95n), needed(60n), needed(30n), 170_000n + 40_000n])
})

test('simulates no gas below the entry’s minimum', async () => {
  const entry = { ...report().whitelist, minimumGas: 150_000n }
  const { tried } = await judged(full, () => undefined, { entry })
  expect(tried).toEqual([161_765n, 150_001n, 210_000n])
})

describe('a contract that takes the money', () => {
  const found = (what: string, gas = 161_765n) => [
    `With ${gas} gas for the call, the contract takes the money but ${what}.`,
  ]
  test.each<[string, Short, string[]]>([
    ['fails with less gas', () => undefined, []],
    ['does the same with less gas', () => ({ ...full }), []],
    [
      'catches the failure of its delivery',
      caughtBelow(165_000n),
      found(`its call to ${stranger} fails: it ran out of gas`),
    ],
    [
      'catches the failure of its delivery with half of the gas',
      caughtBelow(150_000n),
      found(`its call to ${stranger} fails: it ran out of gas`, 139_009n),
    ],
    ['makes fewer inner calls', () => called([]), found('makes fewer calls than with enough gas')],
    [
      'does less work',
      () => called([delivery()], { gasUsed: 165_000n }),
      found('does less: it uses 165000 gas instead of 170000'),
    ],
    ['uses slightly less gas', () => called([delivery()], { gasUsed: 165_001n }), []],
  ])('is reported if it does less with less gas: it %s', async (_, short, expected) => {
    expect((await judged(full, short, { entry: free })).said).toEqual(expected)
  })

  test('is reported if it emits fewer events', async () => {
    const log = { address: stranger, topics: [], data: '0x', text: undefined } as const
    const call = called([delivery({ logs: [log] })])
    expect((await judged(call, () => full, { entry: free })).said).toEqual(
      found('emits fewer events than with enough gas'),
    )
  })

  test('is reported with the minimumGas of its entry', async () => {
    const { said } = await judged(full, caughtBelow(165_000n), { entry: { ...free, minimumGas: 160_000n } })
    expect(said).toEqual([expect.stringContaining(', which its entry allows (minimumGas 160000), ')])
  })
})

test.each([
  [-1_000n, 1],
  [-999n, 0],
  [999n, 0],
  [1_000n, 1],
])('treats a redeem that uses %d more gas as equal if the difference is below 1,000', async (more, count) => {
  const { gasUsed } = redeemFrame([])
  const { said } = await judged(full, caughtBelow(165_000n), { entry: free }, gasUsed + more)
  expect(said).toHaveLength(count)
})

describe('runs no simulation', () => {
  const never: Short = () => {
    throw new Error('run again')
  }
  test.each<[string, CallFrame, Partial<RuleContext>]>([
    ['in a redeem that failed', full, { execution: failedWith('SoldOut') }],
    ['in a redeem that takes nothing', full, { pulled: 0n }],
    ['in a redeem that did not reach the call', full, { pulled: undefined }],
    ['without inner calls', called([]), {}],
    ['if only USDC is called', called([delivery({ to: usdc, calls: [delivery({ from: usdc })] })]), {}],
    ['if only a hook of the credits contract is called', called([delivery({ to: credits })]), {}],
  ])('%s', async (_, call, changes) => {
    expect(await judged(call, never, changes)).toEqual({ tried: [], said: [] })
  })

  test.each<[string, CallFrame]>([
    ['that only reads', delivery({ type: 'STATICCALL' })],
    ['that uses less than 5,000 gas', delivery({ gasUsed: 4_999n })],
  ])('except with the gas that the call needs, for an inner call %s', async (_, inner) => {
    expect((await judged(called([inner]), () => undefined, { entry: free })).tried).toHaveLength(1)
  })
})

describe('a contract that reads the remaining gas', () => {
  // The opcode GAS, without a call after it.
  const codes = { [shop.toLowerCase()]: '0x5a6001' } as const

  test('is simulated with likely amounts of gas, and compared by what it stores', async () => {
    const stored = (callGas: bigint | undefined) =>
      callGas !== undefined && callGas < 250_000n ? [{ address: shop, slot: '0x01', value: '0x02' }] : []
    const options = {
      entry: free,
      codes,
      changes: (async ({ callGas }: Circumstances) => stored(callGas)) as RuleContext['changes'],
    }
    expect((await judged(full, () => full, options)).said).toEqual([
      'With 161765 gas for the call, the contract takes the money but stores different values.',
    ])
    const { tried, said } = await judged(full, () => full, { ...options, changes: async () => [] })
    expect(said).toEqual([])
    // Two passes over the four levels, then likely amounts of gas, up to 25 times what the call needs.
    expect(tried.slice(8)).toEqual([
      210_000n,
      252_000n,
      315_000n,
      420_000n,
      630_000n,
      1_050_000n,
      2_100_000n,
      5_250_000n,
    ])
  })

  test('is not simulated below the entry’s minimum or above half of a transaction’s gas', async () => {
    const minimumGas = 420_000n
    const { tried } = await judged(full, () => full, {
      entry: { ...free, minimumGas },
      codes,
    } as Partial<RuleContext>)
    expect(tried.slice(-4)).toEqual([630_000n, 1_050_000n, 2_100_000n, 5_250_000n])
    const large = called([delivery()], { gas: 1_000_000n, gasUsed: 360_000n })
    const most = await judged(large, () => large, { entry: free, codes } as Partial<RuleContext>)
    expect(most.tried.at(-1)).toBe(4_000_000n)
  })

  test('is detected by a different event', async () => {
    const log = (data: `0x${string}`) => ({ address: stranger, topics: [], data, text: undefined })
    const call = called([delivery({ logs: [log('0x01')] })])
    const short = called([delivery({ logs: [log('0x02')] })])
    expect((await judged(call, () => short, { entry: free, codes } as Partial<RuleContext>)).said).toEqual([
      expect.stringContaining('emits different events than with enough gas'),
    ])
  })

  test('is detected by a token that goes elsewhere', async () => {
    const pad = (address: string) => `0x${address.slice(2).padStart(64, '0')}` as const
    const topic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
    const moved = (to: string) => ({
      address: stranger,
      topics: [topic, pad('0x'), pad(to), pad('0x7')] as const,
      data: '0x' as const,
      text: undefined,
    })
    const call = called([delivery({ logs: [moved(customer)] })])
    const short = called([delivery({ logs: [moved(shop)] })])
    expect((await judged(call, () => short, { entry: free, codes } as Partial<RuleContext>)).said).toEqual([
      expect.stringContaining(`moves ERC-721 token 7 of ${stranger}`),
    ])
  })
})
