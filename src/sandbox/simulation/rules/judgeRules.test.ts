import { encodeErrorResult, type Hex, pad } from 'viem'
import { describe, expect, test } from 'vitest'
import { creditsAbi } from '../../../../contracts/generated/Credits.ts'
import { ChainReadError } from '../../../redeemkit/evm/client.ts'
import { sameHex } from '../../../redeemkit/evm/values.ts'
import { TracingUnavailableError } from '../errors.ts'
import { accounts, frame, redeemFrame, report } from '../text/report.fixture.ts'
import { judgeRedeem } from './judgeRules.ts'
import { type RuleContext, RuleNotJudgedError } from './rule.ts'
import { failedWith, ruleContext } from './rules.fixture.ts'

const { credits, shop, stranger } = accounts
const judged = (
  context: RuleContext,
  { rules = 'economic', step = 'call' }: Partial<Parameters<typeof judgeRedeem>[1]> = {},
) => judgeRedeem(context, { rules, step })
const codesOf = (findings: readonly { code: string }[]) => findings.map(({ code }) => code)
const leftAllowance = [{ owner: shop, spender: stranger, before: 0n, after: 1n }]

test('a redeem that breaks no rule has no findings', async () => {
  expect(await judged(ruleContext(frame()))).toEqual({ findings: [], notJudged: [] })
})

test('lists the most severe findings first', async () => {
  const context = ruleContext(frame({ gasUsed: 15_500_001n }), {
    pulled: 1n,
    allowances: leftAllowance,
  })
  expect(codesOf((await judged(context)).findings)).toEqual([
    'LEAVES_ALLOWANCE',
    'PULLS_LESS',
    'GAS_ABOVE_LIMIT',
  ])
})

describe('a failure', () => {
  const call = frame({ failure: 'SoldOut', output: '0x12345678' })
  const failed = (at: readonly number[], contract: Hex = shop) => ({
    pulled: undefined,
    execution: { ...failedWith('SoldOut', at), contract } as RuleContext['execution'], // the execution failed
  })

  test.each([
    ['redeem', 'The redeem fails: SoldOut().'],
    ['delivery', 'Forwarding the token to the customer fails: SoldOut().'],
  ] as const)('that no rule explains is reported as CALL_REVERTS: %s', async (step, message) => {
    const context = ruleContext(undefined, { call: undefined, ...failed([1]) })
    const { findings } = await judged(context, { step })
    expect(findings).toMatchObject([{ severity: 'danger', code: 'CALL_REVERTS', message, fix: 'Fix it.' }])
  })

  test('that a rule explains is not reported again', async () => {
    const entry = { ...report().whitelist, isAllowed: false, allowedSelectors: [] }
    const { findings } = await judged(ruleContext(call, { ...failed([]), entry }))
    expect(codesOf(findings)).toEqual(['NOT_WHITELISTED'])
  })

  test('is reported if the only other finding is a warning', async () => {
    const codes: Record<Hex, Hex> = { [shop]: `0xef0100${stranger.slice(2)}` }
    const context = ruleContext(undefined, { call: undefined, ...failed([1]), codes })
    const { findings } = await judged(context, { step: 'redeem', rules: 'all' })
    expect(codesOf(findings)).toEqual(['CALL_REVERTS', 'UPGRADEABLE'])
  })

  describe('of the call', () => {
    /** Returns the finding for a call that succeeds with the wallet's real code, for another caller, or never. */
    const said = async (options: {
      contract?: Hex
      sells?: 'to a wallet with its real code' | 'to another caller' | 'to nobody'
      changes?: Parameters<typeof ruleContext>[1]
    }) => {
      const { contract, sells = 'to nobody', changes } = options
      const inner = sells === 'to another caller' ? frame() : call
      const context = ruleContext(call, {
        ...failed([0], contract),
        frame: redeemFrame([call], { failure: 'SoldOut', output: call.output }),
        succeeds: ({ to, value }) =>
          !sameHex(to, shop) || (value === 0n && sells === 'to a wallet with its real code'),
        traceSequence: async () => redeemFrame([frame({ calls: [frame(), inner] })]),
        ...changes,
      })
      return (await judged(context)).findings.map(({ code, message, fix }) => `${code}: ${message} ${fix}`)
    }

    const asking = { ...call, calls: [frame({ type: 'STATICCALL', from: shop, to: credits })] }
    const readsCredits = {
      call: asking,
      frame: redeemFrame([asking], { failure: 'SoldOut', output: call.output }),
    }

    test.each([
      [shop, 'The call'],
      [stranger, `A call of ${stranger}`],
    ])('is reported with its contract: %s', async (contract, what) => {
      expect(await said({ contract })).toEqual([`CALL_REVERTS: ${what} fails: SoldOut(). Fix it.`])
    })

    test.each([
      ['to a wallet with its real code', 'Simulate with a signature'],
      ['to another caller', 'Check the receiver in the call data, not msg.sender'],
    ] as const)('gets a fix if the shop sells %s', async (sells, fix) => {
      expect(await said({ sells })).toEqual([expect.stringContaining(fix)])
    })

    test('gets a fix with the limit of tokens if the shop replaces the error of the credits contract', async () => {
      const output = encodeErrorResult({ abi: creditsAbi, errorName: 'TooManyTokens', args: [16n] })
      const hook = frame({ from: shop, to: credits, failure: 'TooManyTokens', output })
      const changes = {
        frame: redeemFrame([{ ...call, calls: [hook] }], { failure: 'SoldOut', output: call.output }),
      }
      expect(await said({ sells: 'to another caller', changes })).toEqual([
        expect.stringContaining('Mint at most 16 tokens in one redeem.'),
      ])
    })

    test.each<[string, Parameters<typeof ruleContext>[1]]>([
      ['was already simulated with the real code', { signatures: 'real' }],
      [
        'reads tx.origin, which differs in that run',
        { codes: { [shop.toLowerCase()]: '0x32' } as Record<Hex, Hex> },
      ],
      ['reads the credits contract, which that run replaces', readsCredits],
      [
        'began in the credits contract',
        { frame: redeemFrame([frame({ to: credits, failure: 'SoldOut' })], { failure: 'SoldOut' }) },
      ],
    ])('is not attributed to the wallet’s code if it %s', async (_, changes) => {
      expect(await said({ sells: 'to a wallet with its real code', changes })).toEqual([
        expect.stringContaining('Fix it.'),
      ])
    })

    test('is reported if the node cannot simulate other callers', async () => {
      const { client } = ruleContext(call)
      const changes = { client, plan: ruleContext(call).plan }
      expect(await said({ changes })).toEqual([expect.stringContaining('CALL_REVERTS: The call fails')])
    })

    test('causes a rejection if simulating another caller fails for any other reason', async () => {
      const traceSequence = () => Promise.reject(new TypeError('oops'))
      await expect(said({ changes: { traceSequence } })).rejects.toThrow('oops')
    })
  })
})

describe('a rule that this node cannot check', () => {
  const inner = frame({ from: shop, to: stranger, gasUsed: 10_000n })
  const fails = (error: Error) =>
    ruleContext(frame({ calls: [inner] }), { pulled: 1n, rerun: () => Promise.reject(error) })

  test.each([
    new ChainReadError('The node is down.'),
    new RuleNotJudgedError('The node is down.'),
    new TracingUnavailableError('The node is down.'),
  ])('is listed with the reason while the other rules are checked: $name', async (error) => {
    const { findings, notJudged } = await judged(fails(error))
    expect(codesOf(findings)).toEqual(['PULLS_LESS'])
    expect(notJudged).toEqual([{ code: 'KEEPS_MONEY_ON_SHORT_GAS', reason: 'The node is down.' }])
  })

  test('causes a rejection on any other error', async () => {
    await expect(judged(fails(new TypeError('oops')))).rejects.toThrow('oops')
  })
})

describe('a finding of reruns, which simulate the wallet with code', () => {
  const clock = { codes: { [shop.toLowerCase()]: '0x42' } as const, again: frame({ failure: 'closed' }) }
  const timed = (changes: Parameters<typeof ruleContext>[1] = {}) =>
    ruleContext(frame(), { ...clock, ...changes })

  test('is kept if the redeem itself was also simulated with code', async () => {
    const { findings } = await judged(timed(), { rules: 'all' })
    expect(codesOf(findings)).toContain('DEPENDS_ON_TIME')
  })

  test('is dropped if the same redeem fails for a wallet with code', async () => {
    const context = timed({ signatures: 'real', allowances: leftAllowance })
    const { findings, notJudged } = await judged(context, { rules: 'all' })
    expect(codesOf(findings)).toEqual(['LEAVES_ALLOWANCE'])
    expect(notJudged).toContainEqual({
      code: 'DEPENDS_ON_TIME',
      reason: expect.stringContaining('treats wallets with code differently'),
    })
  })

  test('is kept if the run fails only under the changed circumstances', async () => {
    const { rerun } = timed()
    const context = timed({ signatures: 'real' })
    const good = ruleContext(frame(), { again: frame() }).rerun
    context.rerun = (circumstances) =>
      circumstances.seconds === undefined ? good(circumstances) : rerun(circumstances)
    const { findings } = await judged(context, { rules: 'all' })
    expect(codesOf(findings)).toContain('DEPENDS_ON_TIME')
  })
})

test.each<[string, Parameters<typeof ruleContext>[1], string]>([
  [
    'named in the call data',
    { data: `0x12345678${pad(stranger).slice(2)}` },
    `The call data names ${stranger}, but not the customer`,
  ],
  [
    'stored',
    { changes: async () => [{ address: shop, slot: '0x01', value: pad(credits) }] },
    `The call data does not name the customer, and ${shop} stores msg.sender`,
  ],
])('reports a receiver %s', async (_, options, message) => {
  const { findings } = await judged(ruleContext(frame(), options), { rules: 'all' })
  expect(findings).toContainEqual(
    expect.objectContaining({ code: 'RECEIVER_NOT_CUSTOMER', message: expect.stringContaining(message) }),
  )
})

test('checks only the payment of a decent redeem, because the call is made on another chain', async () => {
  const context = ruleContext(undefined, {
    call: undefined,
    redeem: { ...report().redeem, shape: 'decent' },
  })
  for (const [rules, count] of [
    ['economic', 12],
    ['all', 20],
  ] as const) {
    const { notJudged } = await judged(context, { rules })
    expect(notJudged).toHaveLength(count)
    expect(notJudged[0]?.reason).toBe('The call is made on chain 0; this chain only pays for it.')
    for (const code of ['NOT_WHITELISTED', 'SELECTOR_NOT_WHITELISTED', 'CALL_REVERTS'])
      expect(codesOf(notJudged)).not.toContain(code)
  }
})
