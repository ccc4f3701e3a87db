import { encodeFunctionData, erc20Abi, type Hex, pad, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { sameHex } from '../../../redeemkit/evm/values.ts'
import { accounts, frame, price, usdcFrame } from '../text/report.fixture.ts'
import { noCoin } from '../trace/frames.ts'
import { usdcTransferCalls } from '../trace/moves.ts'
import { assumeUsdc } from './assumeUsdc.ts'
import { needsNativeCoin } from './needsNativeCoin.ts'
import { pullsFromApproved } from './pulls.ts'
import { type RuleContext, RuleNotJudgedError } from './rule.ts'
import { failedWith, ruleContext } from './rules.fixture.ts'

const { customer, credits, shop, usdc, stranger, relayer } = accounts
const fails = { failure: 'no', output: '0x' } as const
type Options = NonNullable<Parameters<typeof ruleContext>[1]>

describe('native coin', () => {
  const judged = async (options: Options, call = frame(fails)) =>
    (await needsNativeCoin(ruleContext(call, { codes: {}, ...options }))).map(
      ({ code, message }) => `${code}: ${message}`,
    )
  /** Returns a shop that sells only for these amounts of native coin. */
  const sellsFor =
    (isPaid: (value: bigint) => boolean): NonNullable<Options['succeeds']> =>
    ({ to, value }) =>
      sameHex(to, shop) && isPaid(value)
  const found = (amount: string) => [
    `NEEDS_NATIVE_COIN: The call fails without value, but succeeds with ${amount} of the native coin.`,
  ]
  const odd = 123_456_789_012_345_678n

  test.each<[string, Options, string[]]>([
    [
      'the smallest common amount',
      { succeeds: sellsFor((value) => value >= 10n ** 16n - 1n) },
      found('0.01'),
    ],
    ['no amount', { succeeds: sellsFor(() => false) }, []],
    [
      'a constant in the code',
      {
        codes: { [shop]: `0x600167${odd.toString(16).padStart(16, '0')}00` },
        succeeds: sellsFor((value) => value === odd),
      },
      found('0.123456789012345678'),
    ],
    [
      'an amount that it stores',
      {
        prestate: { [shop]: { storage: { '0x00': toHex(odd, { size: 32 }) } } },
        succeeds: sellsFor((value) => value === odd),
      },
      found('0.123456789012345678'),
    ],
    [
      'an amount in the lower half of a word',
      {
        prestate: { [shop]: { storage: { '0x00': toHex((7n << 128n) + odd, { size: 32 }) } } },
        succeeds: sellsFor((value) => value === odd),
      },
      found('0.123456789012345678'),
    ],
    [
      'an amount that USDC stores',
      {
        prestate: { [usdc]: { storage: { '0x00': toHex(odd, { size: 32 }) } } },
        succeeds: sellsFor((value) => value === odd),
      },
      [],
    ],
    [
      'an amount that the credits contract stores',
      {
        prestate: { [credits]: { storage: { '0x00': toHex(odd, { size: 32 }) } } },
        succeeds: sellsFor((value) => value === odd),
      },
      [],
    ],
    [
      'a thousand coins',
      {
        codes: { [shop]: `0x7f${toHex(10n ** 21n, { size: 32 }).slice(2)}` },
        succeeds: sellsFor((value) => value === 10n ** 21n),
      },
      found('1000'),
    ],
    [
      'no more than a thousand coins',
      {
        codes: { [shop]: `0x7f${toHex(10n ** 21n + 1n, { size: 32 }).slice(2)}` },
        succeeds: sellsFor((value) => value > 10n ** 21n),
      },
      [],
    ],
    [
      'no address in the code',
      {
        codes: { [shop]: `0x73${stranger.slice(2)}` },
        succeeds: sellsFor((value) => value === BigInt(stranger)),
      },
      [],
    ],
    [
      'no selector in the code',
      { codes: { [shop]: '0x6312345678' }, succeeds: sellsFor((value) => value === 0x12345678n) },
      [],
    ],
    [
      'the shortest constant',
      { codes: { [shop]: '0x6007' }, succeeds: sellsFor((value) => value === 7n) },
      found('0.000000000000000007'),
    ],
    [
      'no constant inside the data of another push',
      { codes: { [shop]: '0x6160070000' }, succeeds: sellsFor((value) => value === 7n) },
      [],
    ],
    [
      'no constant that the end of the code cuts off',
      { codes: { [shop]: '0x6107' }, succeeds: sellsFor((value) => value === 7n) },
      [],
    ],
    ['no amount of zero', { codes: { [shop]: '0x6000' }, succeeds: sellsFor((value) => value === 0n) }, []],
    [
      'a plausible price after many small constants',
      {
        codes: {
          [shop]: `0x${Array.from({ length: 200 }, (_, at) => `61${(at + 256).toString(16).padStart(4, '0')}`).join('')}67${odd.toString(16).padStart(16, '0')}`,
        },
        succeeds: sellsFor((value) => value === odd),
      },
      found('0.123456789012345678'),
    ],
    [
      'at most 160 amounts',
      {
        codes: {
          [shop]: `0x${Array.from({ length: 200 }, (_, at) => `61${(at + 256).toString(16).padStart(4, '0')}`).join('')}`,
        },
        succeeds: sellsFor((value) => value === 256n + 160n - 6n),
      },
      [],
    ],
    [
      'no malformed storage value',
      {
        prestate: { [shop]: { storage: { '0x00': 7, '0x01': `${toHex(odd)}g`, '0x02': `x${toHex(odd)}` } } },
        succeeds: sellsFor((value) => value === odd),
      },
      [],
    ],
  ])('is simulated with %s', async (_, options, expected) => {
    expect(await judged(options)).toEqual(expected)
  })

  test('is reported as missing if the call tries to send it', async () => {
    const inner = frame({ from: shop, to: stranger, value: 10n ** 18n, failure: noCoin, output: '0x' })
    expect(await judged({ succeeds: () => true }, frame({ ...fails, calls: [inner] }))).toEqual([
      `NEEDS_NATIVE_COIN: ${shop} sends 1 of the native coin, but a redeem provides none.`,
    ])
  })

  test.each([
    ['the call succeeds', frame()],
    [
      'USDC refuses',
      frame({ ...fails, calls: [usdcFrame(shop, ['transferFrom', [credits, shop, price]], fails)] }),
    ],
  ])('is not simulated if %s', async (_, call) => {
    const succeeds = () => {
      throw new Error('tried')
    }
    expect(await judged({ succeeds }, call)).toEqual([])
  })

  test('is not simulated if the contract reads the credits contract, whose code that run replaces', async () => {
    const call = frame({ ...fails, calls: [frame({ type: 'STATICCALL', from: shop, to: credits })] })
    await expect(judged({ succeeds: sellsFor(() => true) }, call)).rejects.toThrow(RuleNotJudgedError)
  })

  test('is simulated if an earlier failure of USDC was caught', async () => {
    const pull = usdcFrame(shop, ['transferFrom', [credits, shop, price]], fails)
    const call = frame({ ...fails, calls: [pull, frame({ from: shop, to: stranger, ...fails })] })
    expect(await judged({ succeeds: sellsFor((value) => value === 1n) }, call)).toEqual(
      found('0.000000000000000001'),
    )
  })
})

describe('an old approval of the customer or the relayer', () => {
  const ask = (owner: Hex, spender: Hex = shop) => usdcFrame(shop, ['allowance', [owner, spender]])
  const pull = (from: Hex, by: Hex = shop) => usdcFrame(by, ['transferFrom', [from, shop, price]])
  const judged = async (
    calls: readonly ReturnType<typeof frame>[],
    run: RuleContext['rerun'],
    options: Options = {},
  ) => {
    const call = frame({ calls })
    const context = {
      succeeds: () => true,
      rerun: run,
      transferCalls: usdcTransferCalls(call, usdc),
      ...options,
    }
    return (await pullsFromApproved(ruleContext(call, context))).map(
      ({ code, message }) => `${code}: ${message}`,
    )
  }
  const runs = (...inner: ReturnType<typeof frame>[][]): RuleContext['rerun'] => {
    let round = 0
    return async () => {
      const call = frame({ calls: inner[round] ?? inner.at(-1) ?? [] })
      round++
      return { succeeded: true, frame: frame({ to: credits, from: relayer, calls: [call] }) }
    }
  }
  const never: RuleContext['rerun'] = () => Promise.reject(new Error('run again'))

  test.each([
    [customer, `the customer, ${customer}`],
    [relayer, `tx.origin, the relayer ${relayer}`],
  ])('is reported if it is used in addition to the payment: %s', async (owner, whose) => {
    expect(await judged([ask(owner), pull(credits)], runs([pull(credits), pull(owner)]))).toEqual([
      `PULLS_FROM_OTHERS: ${shop} takes 10.00 USDC from ${whose} for ${shop}, if that account has approved it. The credits contract approved the amount and makes the call.`,
    ])
  })

  test('is reported if a contract that reads the balance uses it', async () => {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [customer] })
    const balance = frame({ type: 'STATICCALL', from: shop, to: usdc, input: data })
    expect(await judged([balance], runs([pull(customer)]))).toHaveLength(1)
    // The same call to another contract, or without arguments, is not detected.
    expect(await judged([{ ...balance, to: stranger }], never)).toEqual([])
    expect(await judged([{ ...balance, input: data.slice(0, 10) as Hex }], never)).toEqual([])
  })

  test.each([
    [3, 1],
    [4, 0],
  ])('is detected only within three rounds: used in round %i', async (round, count) => {
    // Each round reads the allowance of one further spender.
    const spenders = [stranger, relayer, customer, credits] as const
    const asks = (to: number) => [ask(customer), ...spenders.slice(0, to).map((one) => ask(customer, one))]
    const rounds = [1, 2, 3, 4].map((at) => (at < round ? asks(at) : [pull(customer, stranger)]))
    expect(await judged([ask(customer)], runs(...rounds))).toHaveLength(count)
  })

  test('is detected if it is used only once a second contract is approved', async () => {
    const second = usdcFrame(stranger, ['allowance', [customer, stranger]])
    expect(
      await judged([ask(customer)], runs([ask(customer), second], [pull(customer, stranger)])),
    ).toHaveLength(1)
  })

  test.each<[string, ReturnType<typeof frame>[], RuleContext['rerun']]>([
    ['is read but not used', [ask(customer)], runs([ask(customer)])],
    ['belongs to another account', [ask(stranger)], never],
    ['is not read', [pull(credits)], never],
    [
      'is already used without a simulation, which another rule reports',
      [ask(customer), pull(customer)],
      never,
    ],
  ])('is not reported if it %s', async (_, calls, run) => {
    expect(await judged(calls, run)).toEqual([])
  })

  test('is not simulated for a failed redeem', async () => {
    expect(await judged([ask(customer)], never, { execution: failedWith('SoldOut') })).toEqual([])
  })

  test('cannot be simulated if the storage layout of USDC is unknown', async () => {
    await expect(judged([ask(customer)], never, { succeeds: () => false })).rejects.toThrow(
      RuleNotJudgedError,
    )
  })
})

describe('assumed USDC', () => {
  const slot = pad('0x05')
  const money = 50n

  /** Returns a USDC contract that computes its result from a storage slot, which holds 7 for the owner. */
  function usdcOf(
    answer: (stored: bigint) => bigint,
    options: { size?: number; reads?: readonly Hex[] } = {},
  ) {
    const { size = 32, reads = [pad('0x04'), slot] } = options
    const { plan } = ruleContext(frame())
    const request = async ({ method, params }: { method: string; params?: unknown }) => {
      if (method === 'debug_traceCall')
        return { [usdc]: { storage: Object.fromEntries(reads.map((one) => [one, pad('0x07')])) } }
      const [, , overrides] = params as [unknown, unknown, Record<Hex, { stateDiff?: Record<Hex, Hex> }>] // the parameters of this request
      const stored = BigInt(overrides[usdc]?.stateDiff?.[slot] ?? 7n)
      const words = [1n, BigInt(size), answer(stored), 0n]
      return `0x${words.map((word) => toHex(word, { size: 32 }).slice(2)).join('')}`
    }
    return assumeUsdc({ ...plan, client: { request } }, { owners: [customer], spenders: [], balance: money })
  }

  test.each<[string, Parameters<typeof usdcOf>, Record<Hex, Hex> | undefined]>([
    ['set in the slot that changes the result', [(stored) => stored], { [slot]: toHex(money, { size: 32 }) }],
    ['not set if the owner has enough', [() => money], {}],
    ['unknown if the token stores a different number', [(stored) => stored * 2n], undefined],
    ['unknown if the node returns no slots', [(stored) => stored, { reads: [] }], undefined],
    ['unknown if the token does not return a number', [() => money, { size: 64 }], undefined],
  ])('the USDC of an owner is %s', async (_, options, stateDiff) => {
    expect(await usdcOf(...options)).toEqual(stateDiff && { [usdc]: { stateDiff } })
  })
})
