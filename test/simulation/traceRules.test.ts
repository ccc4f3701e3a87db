import { type Abi, encodeFunctionData, type Hex, pad, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulateRedeem } from '../../src/sandbox/simulation/simulateRedeem.ts'
import { artifactOf, creditSeed, receiver, relayer, type Stage, startStage, wallet } from './startStage.ts'

const amount = 10_000_000n
const buyAbi = artifactOf('NormalMerchant').abi

let stage: Stage
beforeAll(async () => {
  stage = await startStage()
}, 120_000)
afterAll(() => stage?.stop())

/** Simulates a redeem at a newly deployed merchant, and checks all rules. */
async function judge(name: string, options: { call?: [string, ...unknown[]]; buyer?: Hex; abi?: Abi } = {}) {
  const { call = ['buy', options.buyer ?? wallet, amount], abi = buyAbi } = options
  const merchant = await stage.deploy(name)
  await stage.allow(merchant.address)
  const [functionName, ...args] = call
  const transactionData = {
    transaction: { to: merchant.address, data: encodeFunctionData({ abi, functionName, args }) },
  }
  const { creditsContract, client } = stage
  return simulateRedeem(client, {
    ...{ creditsContract, creditSeed, relayer, wallet, amount, transactionData },
    abis: [merchant.abi],
    rules: 'all',
  })
}

const codesOf = ({ findings }: Awaited<ReturnType<typeof judge>>) => findings.map(({ code }) => code)

test('reading tx.origin without using it breaks no rule', async () => {
  expect(codesOf(await judge('OriginReader'))).toEqual([])
})

test('more gas than an entry can require: a warning, and no entry is suggested', async () => {
  const report = await judge('GasAboveLimit')
  expect(report).toMatchObject({ verdict: 'caution', execution: { succeeded: true } })
  expect(report.gas.call).toBeGreaterThan(15_500_000n)
  expect(report.gas.suggestedMinimumGas).toBeUndefined()
})

test('a receiver who is not the customer is reported', async () => {
  const report = await judge('NormalMerchant', { buyer: receiver })
  expect(codesOf(report)).toEqual(['RECEIVER_NOT_CUSTOMER'])
  expect(report.findings[0]?.message).toContain(receiver)
})

describe('a call that names no account', () => {
  test.each<[string, [string, ...unknown[]]]>([
    ['refuse', ['topUp', amount]],
    ['refuse', ['subscribe', 3n, amount]],
    ['refuse', ['subscribeOnce']],
    ['caution', ['order', 7n, amount]],
    ['caution', ['topUpAnnouncedAccount', pad('0x07', { dir: 'right' }), amount]],
    ['caution', ['topUpCounted', pad('0x07'), amount]],
  ])('to a contract that stores its caller is a finding: %s of %o', async (verdict, call) => {
    const report = await judge('CallerBookkeeper', { call, abi: artifactOf('CallerBookkeeper').abi })
    expect(report).toMatchObject({ verdict, findings: [{ code: 'RECEIVER_NOT_CUSTOMER' }] })
    expect(report.findings[0]?.message).toContain('stores msg.sender, the credits contract')
  })

  test.each<[string, ...unknown[]]>([
    ['topUpAccount', pad('0x07'), amount],
    ['topUpFor', wallet, amount],
    ['topUpPositionFor', wallet, amount],
  ])('differs from a call that names the customer or an account: %s', async (...call) => {
    const report = await judge('CallerBookkeeper', { call, abi: artifactOf('CallerBookkeeper').abi })
    expect(report).toMatchObject({ findings: [], notJudged: [] })
  })

  test.each<[string, string]>([
    ['topUpIgnoring', 'refuse'],
    ['topUpPosition', 'refuse'],
    ['topUpAnnounced', 'caution'],
  ])(
    'equals a call that names the customer to a contract that stores only its caller: %s is %s',
    async (functionName, verdict) => {
      const report = await judge('CallerBookkeeper', {
        call: [functionName, wallet, amount],
        abi: artifactOf('CallerBookkeeper').abi,
      })
      expect(report).toMatchObject({ verdict, findings: [{ code: 'RECEIVER_NOT_CUSTOMER' }] })
      expect(report.findings[0]?.message).toContain('and nothing for the customer')
    },
  )

  test('tokens that stay with the caller are reported once', async () => {
    const report = await judge('CoinsStayWithCaller', { call: ['buy', zeroAddress, amount] })
    expect(codesOf(report)).toEqual(['NFT_STAYS_BEHIND'])
    expect(report.leftBehind).toEqual([expect.stringContaining('in the credits contract')])
  })

  test('a token without an event is found, because storage shows its owner', async () => {
    const { abi } = artifactOf('TalkativeMerchant')
    const report = await judge('TalkativeMerchant', { call: ['mintInSilence', amount], abi })
    expect(codesOf(report)).toEqual(['RECEIVER_NOT_CUSTOMER'])
  })
})

describe('a shop that distinguishes callers', () => {
  const { abi } = artifactOf('CallerRules')

  test.each<[string, string]>([
    ['buyOnce', 'purchase 2, by another customer, fails: LimitReached: limit 1.'],
    ['buyWithDiscount', 'purchase 4, by another customer, takes 5.00 instead of 10.00 USDC.'],
  ])('is reported with the first purchase that differs: %s: %s', async (functionName, message) => {
    const report = await judge('CallerRules', { call: [functionName, wallet, amount], abi })
    expect(report).toMatchObject({
      verdict: 'caution',
      findings: [{ code: 'SEES_ONE_CUSTOMER' }],
      notJudged: [],
    })
    expect(report.findings[0]?.message).toContain(message)
  })

  test.each<[string, string[], string]>([
    [
      'buyWithCredits',
      ['SEES_ONE_CUSTOMER'],
      'it reads what {credits} stores for that contract. With another value there, it takes 5.00 instead of 10.00 USDC.',
    ],
    [
      'buyWithMembership',
      ['SEES_ONE_CUSTOMER'],
      'it reads what {shop} stores for that contract. With another value there, it takes 5.00 instead of 10.00 USDC.',
    ],
    [
      'buyWithUsdc',
      ['PULLS_LESS', 'SEES_ONE_CUSTOMER'],
      'it reads the USDC of that contract. For a caller with a different USDC balance, it takes 10.00 instead of 5.00 USDC.',
    ],
  ])('by a value stored for the caller is reported: %s', async (functionName, codes, message) => {
    const report = await judge('CallerRules', { call: [functionName, wallet, amount], abi })
    expect(report.verdict).toBe('caution')
    expect(codesOf(report)).toEqual(codes)
    const named = message.replace('{credits}', stage.creditsContract).replace('{shop}', report.redeem.target)
    expect(report.findings.at(-1)?.message).toContain(named)
  })

  test('is not assumed if it reads the credits of the receiver, who is the customer', async () => {
    const report = await judge('CallerRules', { call: ['buyWithCreditsOfReceiver', wallet, amount], abi })
    expect(codesOf(report)).toEqual(['PULLS_LESS'])
  })

  test.each<[string, Hex, RegExp]>([
    ['buyAsHolder', wallet, /^Check the receiver in the call data, not msg.sender/],
    ['buyForHolder', receiver, /^Check why the contract reverts with NoCredits/],
  ])(
    'by their credits gets the fix to check the receiver, unless the receiver has none either: %s',
    async (functionName, buyer, fix) => {
      const { findings } = await judge('CallerRules', { call: [functionName, buyer, amount], abi })
      expect(findings[0]).toMatchObject({ code: 'CALL_REVERTS', fix: expect.stringMatching(fix) })
    },
  )

  test.each<[string, string[]]>([
    ['buyOncePerReceiver', ['DIFFERS_ON_SECOND_CALL']],
    ['buyFromStock', []],
  ])('is not assumed if a limit depends on the receiver or the stock: %s', async (functionName, codes) => {
    const report = await judge('CallerRules', { call: [functionName, wallet, amount], abi })
    expect(codesOf(report)).toEqual(codes)
    expect(report.notJudged).toEqual([])
  })

  test('is reported even if the customer has credits for one purchase only', async () => {
    const merchant = await stage.deploy('CallerRules')
    await stage.allow(merchant.address)
    const data = encodeFunctionData({ abi, functionName: 'buyOnce', args: [wallet, 600_000_000_000n] })
    const { creditsContract, client } = stage
    const report = await simulateRedeem(client, {
      ...{ creditsContract, creditSeed, relayer, wallet, amount: 600_000_000_000n },
      transactionData: { transaction: { to: merchant.address, data } },
      rules: 'all',
    })
    expect(codesOf(report)).toEqual(['SEES_ONE_CUSTOMER'])
  })

  test('gets the fix to check the receiver if only the credits contract is rejected', async () => {
    const merchant = await stage.deploy('CallerRules')
    await stage.allow(merchant.address)
    const { creditsContract, client } = stage
    const rejected = async (functionName: string) => {
      const data = encodeFunctionData({ abi, functionName, args: [wallet, amount] })
      const report = await simulateRedeem(client, {
        ...{ creditsContract, creditSeed, relayer, wallet, amount },
        transactionData: { transaction: { to: merchant.address, data } },
        abis: [abi],
        rules: 'all',
      })
      return report.findings.map(({ code, fix }) => `${code}: ${fix}`)
    }
    const checkReceiver = [
      expect.stringMatching(/^CALL_REVERTS: Check the receiver in the call data, not msg.sender/),
    ]
    expect(await rejected('buyAsMember')).toEqual(checkReceiver)
    expect(await rejected('buyAsSilentMember')).toEqual(checkReceiver)
    await stage.rpc.send({
      from: wallet,
      to: merchant.address,
      data: encodeFunctionData({ abi, functionName: 'setBought', args: [creditsContract, 1n] }),
    })
    expect(await rejected('buyOnce')).toEqual(checkReceiver)
  })
})

test.each<[string, RegExp]>([
  [
    'buyAsSilentMember',
    /^it reverted without a reason, after it read 0 from its storage, stored for 0x\w{40}$/,
  ],
  [
    'buyAsOldMember',
    /^it reverted without a reason, after it compared \d+, the time of the block, with \d+$/,
  ],
])('a revert without data: the report says what was checked last: %s', async (functionName, reason) => {
  const { execution } = await judge('CallerRules', {
    call: [functionName, wallet, amount],
    abi: artifactOf('CallerRules').abi,
  })
  expect(execution).toMatchObject({ succeeded: false, reason: expect.stringMatching(reason) })
})

describe('tx.origin', () => {
  test('is reported as a danger if the receiver depends on it', async () => {
    const { findings, verdict } = await judge('UsesTxOrigin')
    expect(findings).toContainEqual(expect.objectContaining({ code: 'USES_TX_ORIGIN', severity: 'danger' }))
    expect(verdict).toBe('refuse')
  })

  test.each<['danger' | 'warning', string, string]>([
    ['danger', 'buy', 'it stores the purchase for tx.origin'],
    ['warning', 'buyAndCount', 'it stores different values'],
  ])('is reported as a %s if stored values depend on it', async (severity, functionName, message) => {
    const { abi } = artifactOf('OriginBookkeeper')
    const { findings } = await judge('OriginBookkeeper', { call: [functionName, wallet, amount], abi })
    expect(findings).toMatchObject([
      { code: 'USES_TX_ORIGIN', severity, message: expect.stringContaining(message) },
    ])
  })

  test('is reported for a contract that rejects contracts as callers', async () => {
    const { findings, execution } = await judge('EoaOnly')
    const [finding, ...others] = findings
    expect([finding?.code, ...others]).toEqual(['USES_TX_ORIGIN'])
    expect(finding?.message).toContain('only if tx.origin is msg.sender')
    expect(finding?.fix).toMatch(/^Allow contracts to buy/)
    expect(execution).toMatchObject({ fix: finding?.fix })
  })
})

test('differences on a second call and an hour later are reported', async () => {
  const [second, later] = await Promise.all([judge('DiffersOnSecondCall'), judge('DependsOnTime')])
  expect(second.findings[0]?.message).toBe('Bought a second time, it fails: SoldOut.')
  expect(later.findings[0]?.message).toMatch(/^60 minutes later, it fails: SaleEnded: endsAt \d+\.$/)
})

test('the account that can upgrade is reported', async () => {
  const { findings } = await judge('Upgradeable')
  expect(findings[0]?.message).toMatch(/is a proxy of 0x\w{40}, and 0x00\w+ can replace the code\.$/)
})

test('a node that cannot rerun leaves those rules unjudged, with the reason, and judges the others', async () => {
  const merchant = await stage.deploy('DependsOnTime')
  await stage.allow(merchant.address)
  const data = encodeFunctionData({ abi: buyAbi, functionName: 'buy', args: [receiver, amount] })
  const deaf = {
    request: async (call: { method: string; params?: unknown }) => {
      if (JSON.stringify(call.params ?? null).includes('blockOverrides'))
        throw Object.assign(new Error('block overrides are not supported'), { code: -32602 })
      return stage.client.request(call)
    },
  }
  const { creditsContract } = stage
  const report = await simulateRedeem(deaf, {
    ...{ creditsContract, creditSeed, relayer, wallet, amount, rules: 'all' },
    transactionData: { transaction: { to: merchant.address, data } },
  })
  expect(report.notJudged.map(({ code }) => code)).toEqual(['DEPENDS_ON_TIME'])
  expect(report.notJudged[0]?.reason).toContain('debug_traceCall')
  expect(codesOf(report)).toEqual(['RECEIVER_NOT_CUSTOMER'])
})
