import { encodeFunctionData, type Hex, pad, parseAbi, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import type { CallFrame } from '../redeemReport.ts'
import { accounts, frame, price, redeemFrame, report, usdcFrame } from '../text/report.fixture.ts'
import { outOfGas } from '../trace/frames.ts'
import { dependsOnTime, differsOnSecondCall } from './differsOnRerun.ts'
import { gasAboveLimit } from './gas.ts'
import { swallowsFailure } from './nestedCalls.ts'
import { receiverNotCustomer } from './receiverNotCustomer.ts'
import { RuleNotJudgedError } from './rule.ts'
import { ruleContext } from './rules.fixture.ts'

const { customer, credits, shop, usdc, stranger, relayer } = accounts
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const singleTopic = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'

/** Returns the event of a shop's token that is minted. */
const mint = (to: Hex, id: bigint): CallFrame['logs'][number] => ({
  address: shop,
  topics: [transferTopic, pad('0x00'), pad(to), toHex(id, { size: 32 })],
  data: '0x',
  text: undefined,
})

describe('the receiver in the call data', () => {
  const buy = (...[types, args]: [string, readonly unknown[]]): Hex =>
    // TypeScript does not know the types of a text that is built at run time.
    encodeFunctionData({ abi: parseAbi([`function buy(${types})`] as readonly string[]), args } as never)
  const said = async (
    data: Hex,
    options: Parameters<typeof ruleContext>[1] & { signature?: string } = {},
  ) => {
    const { signature, ...rest } = options
    const redeem = { ...report().redeem, signature }
    return receiverNotCustomer(ruleContext(rest.frame?.calls[0] ?? frame(), { data, redeem, ...rest }))
  }

  test('is reported if it is not the customer', async () => {
    expect(await said(buy('address,uint256', [stranger, price]))).toMatchObject([
      { code: 'RECEIVER_NOT_CUSTOMER', message: expect.stringContaining(stranger) },
    ])
  })

  test.each<[string, Hex]>([
    ['the customer', buy('address,uint256', [customer, price])],
    ['the customer in addition to another account', buy('address,address', [stranger, customer])],
    ['the customer packed among other bytes', buy('bytes', [`0x01${customer.slice(2)}02`])],
    ['the customer in a list', buy('address[]', [[stranger, customer]])],
    ['no account', buy('uint256', [price])],
    ['the zero address', buy('address', ['0x0000000000000000000000000000000000000000'])],
    ['only the target, USDC and the credits contract', buy('address,address,address', [shop, usdc, credits])],
  ])('is not reported if the call data names %s', async (_, data) => {
    expect(await said(data)).toEqual([])
  })

  test('is not reported if it is a contract', async () => {
    const data = buy('address', [stranger])
    expect(await said(data, { codes: { [stranger]: '0x6001' } })).toEqual([])
  })

  test('is reported if it is a key-controlled account with a delegation (EIP-7702)', async () => {
    const data = buy('address', [stranger])
    expect(await said(data, { codes: { [stranger]: `0xef0100${shop.slice(2)}` } })).toHaveLength(1)
  })

  test('is not found in a number argument of a known function', async () => {
    const data = buy('uint256', [BigInt(stranger)])
    expect(await said(data)).toHaveLength(1)
    expect(await said(data, { signature: 'buy(uint256)' })).toEqual([])
  })

  test('is found in structs and lists of a known function', async () => {
    const data = buy('(uint256 id, address[] to)[]', [[{ id: 1n, to: [stranger] }]])
    expect(await said(data, { signature: 'buy((uint256,address[])[])' })).toHaveLength(1)
  })

  describe('a token that goes to another account', () => {
    const sent = (from: Hex, to: Hex, id: bigint) => ({
      ...mint(to, id),
      topics: [transferTopic, pad(from), pad(to), toHex(id, { size: 32 })] as const,
    })
    /** Returns the event of one copy of an edition (ERC-1155). */
    const copy = (from: Hex, to: Hex): CallFrame['logs'][number] => ({
      address: shop,
      topics: [singleTopic, pad(shop), pad(from), pad(to)],
      data: `0x${pad('0x07').slice(2)}${pad('0x01').slice(2)}`,
      text: undefined,
    })
    const given = (...logs: CallFrame['logs'][number][]) =>
      said(buy('address', [customer]), { frame: redeemFrame([frame({ logs })]) })

    test('is reported even if the call data names the customer', async () => {
      expect(await given(mint(stranger, 1n))).toMatchObject([
        {
          severity: 'warning',
          message: `ERC-721 token 1 of ${shop} goes to ${stranger}, and none to the customer ${customer}.`,
        },
      ])
    })

    test.each<[string, CallFrame['logs'][number][]]>([
      ['and then to the customer', [mint(stranger, 1n), sent(stranger, customer, 1n)]],
      ['in addition to one for the customer', [mint(stranger, 1n), mint(customer, 2n)]],
      [
        'in addition to another copy of the edition for the customer',
        [copy(shop, customer), copy(shop, stranger)],
      ],
      ['that is the relayer', [mint(relayer, 1n)]],
      ['that forwards a copy of an edition to the relayer', [copy(shop, stranger), copy(stranger, relayer)]],
      [
        'and is burned',
        [mint(stranger, 1n), sent(stranger, '0x0000000000000000000000000000000000000000', 1n)],
      ],
    ])('is not reported if it goes to another account %s', async (_, logs) => {
      expect(await given(...logs)).toEqual([])
    })

    test('is not checked for other transaction types', async () => {
      const redeem = { ...report().redeem, shape: 'safeMint' as const }
      const root = redeemFrame([frame({ logs: [mint(stranger, 1n)] })])
      expect(await receiverNotCustomer(ruleContext(frame(), { redeem, frame: root }))).toEqual([])
    })
  })

  test('is searched in all words if the data does not match the known function', async () => {
    const data: Hex = `0x12345678${pad(stranger).slice(2)}`
    expect(await said(data, { signature: 'buy(address,uint256)' })).toHaveLength(1)
  })

  test('is reported with the number of further accounts', async () => {
    const [found] = await said(buy('address,address,address', [stranger, shop, relayer]))
    expect(found?.message).toBe(
      `The call data names ${stranger} and 1 more, but not the customer ${customer}.`,
    )
    const [one] = await said(buy('address', [stranger]))
    expect(one?.message).toBe(`The call data names ${stranger}, but not the customer ${customer}.`)
  })

  test('is not found in number and bytes arguments of a known function', async () => {
    const data = buy('uint160[],bytes32', [[BigInt(stranger)], pad(stranger)])
    expect(await said(data, { signature: 'buy(uint160[],bytes32)' })).toEqual([])
  })

  test('is not found in a large number', async () => {
    expect(await said(buy('uint256', [(1n << 200n) + BigInt(stranger)]))).toEqual([])
  })

  test('is not reported if the customer received a token', async () => {
    const root = redeemFrame([frame({ logs: [mint(customer, 1n)] })])
    expect(await said(buy('address', [stranger]), { frame: root })).toEqual([])
  })
})

describe('a swallowed failure', () => {
  const broken = frame({ from: shop, to: stranger, failure: 'OutOfStock', text: 'deliver()' })
  const said = (call: CallFrame) => swallowsFailure(ruleContext(call))

  test('is reported for a call of the target', () => {
    expect(said(frame({ calls: [broken, frame()] }))).toMatchObject([
      {
        code: 'SWALLOWS_FAILURE',
        message: `${shop} called ${stranger} (deliver()), which failed (OutOfStock), and continued.`,
      },
    ])
  })

  test('is reported for deeper calls, with their number', () => {
    expect(said(frame({ calls: [frame({ calls: [broken, broken] })] }))).toMatchObject([
      { message: expect.stringContaining('and 1 more like it') },
    ])
  })

  test('is reported for a transferFrom of USDC', () => {
    const pull = usdcFrame(shop, ['transferFrom', [customer, shop, price]], { failure: 'exceeds allowance' })
    expect(said(frame({ calls: [pull] }))).toHaveLength(1)
  })

  test('is not reported if the caller forwards it', () => {
    const passedOn = frame({ failure: 'OutOfStock', calls: [broken] })
    expect(
      swallowsFailure({ ...ruleContext(passedOn), frame: redeemFrame([passedOn], { failure: 'x' }) }),
    ).toEqual([])
  })

  test.each([
    ['0x', 'without data'],
    ['0x12345678abcd', '0x12345678'],
  ] as const)('is reported for a call with the data %s', (input, what) => {
    const inner = { ...broken, text: undefined, input }
    expect(said(frame({ calls: [inner] }))).toMatchObject([
      { message: `${shop} called ${stranger} (${what}), which failed (OutOfStock), and continued.` },
    ])
  })

  test('is not checked if the redeem failed or did not reach the call', () => {
    const call = frame({ calls: [broken] })
    expect(swallowsFailure({ ...ruleContext(call), frame: redeemFrame([call], { failure: 'x' }) })).toEqual(
      [],
    )
    expect(swallowsFailure({ ...ruleContext(), call: undefined })).toEqual([])
  })

  test('is reported for a failed call, not for the calls inside it', () => {
    const outer = frame({ to: stranger, failure: 'Outer', calls: [broken] })
    expect(said(frame({ calls: [outer] }))).toMatchObject([{ message: expect.stringContaining('(Outer)') }])
  })

  test('is not reported inside USDC or the credits contract', () => {
    for (const to of [usdc, credits])
      expect(said(frame({ calls: [frame({ to, calls: [broken] })] }))).toEqual([])
  })

  test.each(['0x01ffc9a7', '0xd505accf'] as const)(
    'is not reported for a call that its caller must expect to fail: %s',
    (input) => {
      expect(said(frame({ calls: [{ ...broken, input }] }))).toEqual([])
    },
  )
})

describe('the rule about gas', () => {
  const said = (call: CallFrame, failure?: string) =>
    gasAboveLimit({ ...ruleContext(call), frame: redeemFrame([call], { failure, output: call.output }) })

  test.each([
    [15_500_000n, 0],
    [15_500_001n, 1],
  ])('reports only more gas than an entry can require: %d', (gasUsed, count) => {
    expect(said(frame({ gasUsed }))).toHaveLength(count)
  })

  test('ignores a payment to the credits contract itself', () => {
    expect(said(frame({ to: credits, gasUsed: 15_500_001n }))).toEqual([])
  })

  test('reports a call that used all gas of a transaction', () => {
    expect(said(frame({ gasUsed: 16_300_000n, failure: outOfGas }), outOfGas)).toMatchObject([
      { code: 'GAS_ABOVE_LIMIT', severity: 'danger' },
    ])
  })

  test('ignores a call that ran out of gas with a low limit', () => {
    expect(said(frame({ gasUsed: 100_000n, failure: outOfGas }), outOfGas)).toEqual([])
  })

  test('ignores an invalid opcode, which consumes all gas', () => {
    expect(said(frame({ gasUsed: 16_300_000n, failure: 'invalid opcode' }), 'invalid opcode')).toEqual([])
  })
})

describe('a second run of the redeem', () => {
  const clock = { codes: { [shop.toLowerCase()]: '0x42' } as Record<Hex, Hex> }

  test('reports a different holder an hour later, when the longest permit expires', async () => {
    const context = ruleContext(frame({ logs: [mint(customer, 1n)] }), {
      ...clock,
      again: frame({ logs: [mint(relayer, 1n)] }),
    })
    expect(await dependsOnTime(context)).toMatchObject([
      {
        code: 'DEPENDS_ON_TIME',
        message: expect.stringMatching(/^60 minutes later, it moves ERC-721 token 1 .* to 0xf39f/i),
      },
    ])
  })

  test('does not ask to keep the terms of a sale that is not open yet', async () => {
    const closed = frame({ failure: 'NotOpen', output: '0x' })
    const context = { ...ruleContext(closed, { ...clock, again: frame() }) }
    const closedRedeem = { ...context, frame: redeemFrame([closed], { failure: 'NotOpen' }) }
    expect(await dependsOnTime(closedRedeem)).toMatchObject([
      {
        message: '60 minutes later, it succeeds.',
        fix: 'Offer the purchase only while the contract accepts it.',
      },
    ])
  })

  test('is skipped if the contract does not read the time', async () => {
    const rerun = () => Promise.reject(new Error('run again'))
    expect(await dependsOnTime({ ...ruleContext(frame(), { codes: { [shop]: '0x6001' } }), rerun })).toEqual(
      [],
    )
  })

  test('ignores a time that has no effect', async () => {
    const call = frame({ logs: [mint(customer, 1n)] })
    expect(await dependsOnTime(ruleContext(call, { ...clock, again: call }))).toEqual([])
  })

  test('reports a different payment in another block', async () => {
    const lottery = { codes: { [shop.toLowerCase()]: '0x44' } as Record<Hex, Hex> }
    const again = frame({ calls: [frame({ from: shop, to: stranger, value: 1n })] })
    expect(await dependsOnTime(ruleContext(frame(), { ...lottery, again }))).toMatchObject([
      {
        message: expect.stringMatching(/^In another block, it moves 0\.0/),
        fix: expect.stringContaining('lottery'),
      },
    ])
    expect(await dependsOnTime(ruleContext(frame(), { ...lottery, again: frame() }))).toEqual([])
  })

  test('does not check a second call if the redeem failed or did not reach the call', async () => {
    const again = frame({ failure: 'no', output: '0x' })
    const failed = { ...ruleContext(frame(), { again }), frame: redeemFrame([frame()], { failure: 'x' }) }
    expect(await differsOnSecondCall(failed)).toEqual([])
    expect(await differsOnSecondCall({ ...ruleContext(frame(), { again }), call: undefined })).toEqual([])
  })

  test('ignores that the second token has a different id', async () => {
    const context = ruleContext(frame({ logs: [mint(customer, 1n)] }), {
      again: frame({ logs: [mint(customer, 2n)] }),
    })
    expect(await differsOnSecondCall(context)).toEqual([])
  })

  test('reports a second call that delivers no token', async () => {
    const context = ruleContext(frame({ logs: [mint(customer, 1n)] }), { again: frame() })
    expect(await differsOnSecondCall(context)).toMatchObject([
      { message: expect.stringContaining('it moves nothing instead of an ERC-721 token of') },
    ])
  })

  test('does not report that a known token id is sold only once', async () => {
    const redeem = { ...report().redeem, shape: 'knownTokenId' as const }
    expect(
      await differsOnSecondCall(ruleContext(frame(), { redeem, again: frame({ failure: 'sold' }) })),
    ).toEqual([])
  })

  test('does not check a redeem that did not reach the call', async () => {
    await expect(differsOnSecondCall(ruleContext(frame()))).rejects.toThrow(RuleNotJudgedError)
  })
})
