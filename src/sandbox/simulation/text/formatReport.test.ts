import { stripVTControlCharacters } from 'node:util'
import fc from 'fast-check'
import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import type { CallFrame, RedeemReport } from '../redeemReport.ts'
import { addressNames } from './addressNames.ts'
import { formatCallTree } from './formatCallTree.ts'
import { formatReport } from './formatReport.ts'
import { widthOf } from './layOut.ts'
import {
  accounts,
  frame,
  price,
  redeemFrame,
  report,
  shopFrame,
  soldOutReport,
  usdcFrame,
} from './report.fixture.ts'

const { customer, credits, shop, usdc, usdcCode, stranger, relayer } = accounts
type TreeOptions = { columns?: number } & Partial<Pick<formatCallTree.Options, 'usdc' | 'failedAt'>>
const treeText = (root: CallFrame, { columns = 100, usdc, failedAt }: TreeOptions = {}) =>
  formatCallTree(root, { page: { columns, colour: false }, names: addressNames([]), usdc, failedAt })
const linesOf = (text: string) => text.split('\n')
const lineWith = (text: string, part: string) => linesOf(text).find((line) => line.includes(part))
const placeOf = (text: string, part: string) => linesOf(text).findIndex((line) => line.includes(part))

describe('a report', () => {
  test('is ordered from the verdict to the details', () => {
    const text = formatReport(soldOutReport())
    const order = [
      'Refuse',
      'Whitelisted',
      'Executed',
      'USDC ',
      'NFTs',
      'Gas',
      'Cost',
      'Left behind',
      'Calls',
      'Addresses',
    ]
    const places = order.map((label) => placeOf(text, label))
    expect(places).not.toContain(-1)
    expect([...places].sort((a, b) => a - b)).toEqual(places)
  })

  test('says OK if no rule is broken', () => {
    const text = formatReport(report())
    expect(text).toContain('OK           The redeem succeeds and breaks no rule.')
    expect(text).toContain('10.00 USD approved, 10.00 USD pulled, 0.00 USD returned as credits')
    expect(text).toContain('212,345 used, 84,123 by the call, recommended minimumGas of an entry: 130,000')
    expect(text).toContain('gas fee 0.03 USD, 6.03 USD of credits charged')
  })

  test.each<[string, Partial<RedeemReport['redeem']>]>([
    ['would be', {}],
    ['was', { hash: `0x${'12'.repeat(32)}` }],
  ])('does not call a redeem a success if someone loses money: it %s executed', (when, change) => {
    const { redeem } = report()
    const findings = [{ severity: 'danger', code: 'LEAVES_ALLOWANCE', message: 'It does.' }] as const
    const text = formatReport(report({ verdict: 'refuse', findings, redeem: { ...redeem, ...change } }))
    expect(text).toContain(`The redeem ${when} executed, but someone can lose money or tokens: 1 finding.`)
    expect(lineWith(text, 'Executed')).toMatch(/^! Executed .*despite the findings$/)
    expect(text).not.toMatch(/succe/)
  })

  test('says where a redeem failed, why, and the fix', () => {
    const text = formatReport(soldOutReport())
    expect(text).toContain('no: target failed at Credits.redeem › target.buy')
    expect(text).toContain('What to change: Sell more, or none.')
    expect(text).toContain('✗ SoldOut: limit 5')
  })

  test.each<[Partial<RedeemReport['whitelist']>, string]>([
    [{ isNeeded: false }, 'not needed'],
    [{}, 'yes: buy(address,uint256) of target, with at least 200,000 gas'],
    [{ isAllowed: false, allowedSelectors: ['0x12345678'] }, 'Allowed for this target: 0x12345678.'],
    [
      { isAllowed: false, allowedSelectors: ['any'] },
      'Allowed for this target: any function whose data holds no further calls.',
    ],
    [{ isAllowed: false, allowedSelectors: [] }, 'Nothing is allowed for this target.'],
    [
      { isAllowed: false, forbidden: 'an address without code' },
      'no entry can allow it: an address without code',
    ],
  ])('says what the whitelist allows: %j', (changes, texts) => {
    expect(formatReport(report({ whitelist: { ...report().whitelist, ...changes } }))).toContain(texts)
  })

  test('does not say that nothing is allowed if no entry can allow this call, because another function may be allowed', () => {
    const forbidden = 'a function that moves tokens'
    const entry = { isAllowed: false, forbidden, allowedSelectors: [] }
    const text = formatReport(report({ whitelist: { ...report().whitelist, ...entry } }))
    expect(text).toContain(`no entry can allow it: ${forbidden}`)
    expect(text).not.toMatch(/allowed for this target/i)
  })

  test('shows who tried to take USDC from whom', () => {
    const call = { by: shop, from: customer, to: stranger, amount: price, given: false }
    const wanted = [
      { ...call, done: false },
      { ...call, done: true },
    ]
    const text = formatReport(report({ usdc: { ...report().usdc, wanted } }))
    expect(text).toContain('failed: target requested 10.00 USD from customer for 0x90F79bf6…b906')
    expect(text).toContain('reverted: target took 10.00 USD from customer for 0x90F79bf6…b906')
  })

  test('marks a token that the credits contract keeps', () => {
    const token = {
      contract: shop,
      standard: 'ERC-721',
      id: 5n,
      amount: 1n,
      mintedTo: credits,
      holder: credits,
      holderIs: 'credits contract',
    } as const
    expect(formatReport(report({ nfts: [token] }))).toContain(
      '✗ NFTs         ERC-721 #5 of target: minted to Credits, now owned by Credits',
    )
    expect(formatReport(report({ nfts: [{ ...token, holder: customer, holderIs: 'customer' }] }))).toContain(
      '✓ NFTs         ERC-721 #5 of target: minted to Credits, now owned by customer',
    )
  })

  test('lists rules that were not checked, once per reason', () => {
    const reason = 'The node has no block overrides.'
    const notJudged = [
      { code: 'DEPENDS_ON_TIME', reason },
      { code: 'USES_TX_ORIGIN', reason },
    ] as const
    const text = formatReport(report({ notJudged }))
    expect(text).toContain('The redeem succeeds and breaks no rule that was checked.')
    expect(text).toContain(`? Not checked  ${reason}\n               DEPENDS_ON_TIME, USES_TX_ORIGIN\n`)
  })

  test('shows the cost, or that the fee is unknown', () => {
    const gas = { ...report().gas, fee: 30_000n, charged: 10_030_000n }
    expect(lineWith(formatReport(report({ gas })), 'Cost')).toContain(
      'gas fee 0.03 USD, 10.03 USD of credits charged',
    )
    const unknown = formatReport(report({ gas: { ...gas, fee: undefined, charged: undefined } }))
    expect(lineWith(unknown, 'Cost')).toContain('gas fee unknown: no gas price was given')
    expect(unknown).not.toContain('charged')
  })

  test('names the contracts of a bridged redeem, and unpacks its event', () => {
    // The words of a `decent` redeem on a local chain: 10.00 USD, and the bridge took 9.00 of it.
    const target = '0x3B3688a3C81c134D45CEb056d783f36AcF2a8CC0'
    const text =
      'Redeemed(address customerWallet = 0x70997970C51812dc3A010C7d01b50e0d17dc79C8, uint256 kindAndTarget = 7645554785376745679061313536408028555790277840064, uint256 amounts = 3402823669209384634633746074317682114560000000, uint256 refundedAndGasFee = 340282366920938463463374607431768211456010000)'
    const log = (address: Hex) => ({ address, topics: [], data: '0x', text }) as const
    const read = { from: shop, to: credits, text: 'creditsOf(address wallet)', type: 'STATICCALL' } as const
    const code = { from: credits, to: stranger, text: read.text, type: 'DELEGATECALL' } as const
    const callTree = redeemFrame(
      [
        usdcFrame(credits, ['approve', [relayer, price]]),
        frame({ to: relayer, text: 'bridge(uint256 amount = 1)', logs: [log(relayer)] }),
        frame({ ...read, calls: [frame(code)] }),
      ],
      { logs: [log(credits)], from: usdcCode },
    )
    const { redeem } = report()
    const shown = formatReport(report({ callTree, redeem: { ...redeem, target, relayer: usdcCode } }), {
      columns: 400,
    })
    expect(shown).toContain('USDC.approve(spender = bridge adapter, amount = 10.00 USD)')
    expect(shown).toContain('bridge adapter.bridge(amount = 1)')
    expect(shown).toContain('read Credits.creditsOf(address wallet) via CreditsExtension')
    expect(shown).toContain(
      'event Redeemed(customerWallet = customer, kind = decent, target = target, amount = 10.00 USD, usdcAmount = 0.00 USD, refunded = 1.00 USD, gasFee = 0.01 USD)',
    )
    // An event of another contract is not unpacked.
    expect(shown).toContain('kindAndTarget = 7645554785376745679061313536408028555790277840064')
  })

  test('ends with all addresses in full', () => {
    const received = [{ account: stranger, amount: 1n }]
    const text = formatReport(report({ usdc: { ...report().usdc, received } }))
    const [, end = ''] = text.split('\nAddresses\n')
    for (const address of [customer, credits, shop, usdc, stranger]) expect(end).toContain(address)
    expect(end).not.toContain(relayer)
  })
})

describe('texts from contracts', () => {
  const hostile = 'evil\n\u001b[2J\u001b[31mOK\u202e\u200b\u0000\r\tx'
  const hostileReport = (said: string) =>
    soldOutReport({
      redeem: { ...report().redeem, creditSeed: said, signature: said },
      findings: [{ severity: 'danger', code: 'KEEPS_MONEY_ON_SHORT_GAS', message: said, fix: said }],
      notJudged: [{ code: 'UPGRADEABLE', reason: said }],
      whitelist: { ...report().whitelist, isAllowed: false, forbidden: said },
      execution: {
        succeeded: false,
        at: [0, 0],
        contract: shop,
        error: said,
        reason: said,
        data: '0x',
        fix: said,
      },
      leftBehind: [said],
      callTree: redeemFrame(
        [
          shopFrame({
            text: said,
            failure: said,
            logs: [{ address: shop, topics: [], data: '0x', text: said }],
          }),
        ],
        { text: said, failure: said },
      ),
    })

  test('cannot contain characters that control the terminal', () => {
    const text = formatReport(hostileReport(hostile))
    // Control characters, direction marks and invisible characters.
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    expect(text).toContain('\\u{1b}[2J')
    const calm = formatReport(hostileReport('evil'))
    expect(linesOf(text).filter((line) => line.startsWith('evil'))).toEqual([])
    expect(linesOf(calm).filter((line) => line.startsWith('evil'))).toEqual([])
  })

  test('add no escape sequences to those of the report', () => {
    const text = formatReport(hostileReport(hostile), { colour: true })
    expect(text).not.toBe(stripVTControlCharacters(text))
    expect(stripVTControlCharacters(text)).toBe(formatReport(hostileReport(hostile)))
  })

  test.each([40, 60, 80, 100, 200])('make no line longer than %d columns', (columns) => {
    for (const said of [
      hostile,
      'x'.repeat(10_000),
      '長い名前'.repeat(2_000),
      '👩‍👩‍👧'.repeat(500),
      'a b '.repeat(900),
    ])
      for (const line of linesOf(formatReport(hostileReport(said), { columns })))
        expect(widthOf(line)).toBeLessThanOrEqual(columns)
  })

  test('never make a line exceed its columns', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc.integer({ min: 40, max: 120 }),
        (said, columns) => {
          const lines = linesOf(formatReport(hostileReport(said), { columns }))
          return lines.every((line) => widthOf(line) <= columns)
        },
      ),
      { numRuns: 25 },
    )
  })

  test('do not make the report unreadable with a name of 10 kB', () => {
    expect(linesOf(formatReport(hostileReport('x'.repeat(10_000)))).length).toBeLessThan(250)
  })

  test('do not repeat a name before an address', () => {
    const said = `it goes to the relayer ${relayer}, not to the customer ${customer}.`
    const text = formatReport(report({ leftBehind: [said, `and ${relayer}`] }))
    expect(text).toContain('it goes to the relayer, not to the customer.')
    expect(text).toContain('and relayer')
  })

  test('keep an address in a command unchanged', () => {
    const said = `ask: \`request ${customer} "buy()"\`, for ${customer}`
    expect(lineWith(formatReport(report({ leftBehind: [said] }), { columns: 200 }), 'ask:')).toContain(
      `ask: \`request ${customer} "buy()"\`, for customer`,
    )
  })

  test('keep an address in a quoted text unchanged', () => {
    const said = `say(string text = "customer is ${customer}")`
    expect(treeText(frame({ text: said }), { columns: 200 })).toContain(`"customer is ${customer}"`)
  })
})

describe('call trees', () => {
  const treeOf = (calls: Parameters<typeof redeemFrame>[0], options: TreeOptions = {}) =>
    treeText(redeemFrame(calls), options)

  test('are drawn in a report of 100 columns', () => {
    const tree = formatReport(report()).split('\nCalls')[1]?.split('\n\n')[0]
    expect(linesOf(tree ?? '').slice(2)).toEqual([
      '├─ USDC.approve(spender = target, amount = 10.00 USD) via 0xd74cc5d4…C5B5                     34,512',
      '├─ target.buy(receiver = customer, price = 10000000) → 7                                      84,123',
      '│  ├─ USDC.transferFrom(from = Credits, to = target, amount = 10.00 USD)                      34,512',
      '│  └─ event Bought(order = 7, buyer = Credits, receiver = customer, price = 10000000)',
      '└─ read USDC.allowance(owner = Credits, spender = target) → 0.00 USD                          34,512',
    ])
  })

  test('events are shown in full, on several lines if they are long', () => {
    const id = `0x${'ab'.repeat(32)}` as const
    const log = { address: shop, topics: [id], data: `0x${'cd'.repeat(64)}`, text: undefined } as const
    const known = { ...log, text: `Sold(bytes32 id = ${id}, bytes32 other = ${id})` }
    const tree = treeOf([shopFrame({ logs: [log, known] })], { columns: 60 })
    expect(linesOf(tree).filter((line) => widthOf(line) > 60)).toEqual([])
    const text = tree.replace(/[\n│ ]+/g, '')
    expect(text).toContain(`event${id}${log.data}`)
    expect(text).toContain(`eventSold(id=${id},other=${id})`)
  })

  test('the redeem itself is shown without arguments, because the report lists them', () => {
    const text = formatReport(report())
    expect(lineWith(text, 'Credits.redeem')).toMatch(/^Credits\.redeem\(…\)\s+[\d,]+$/)
  })

  test('a proxy takes one line, and its first call shows the implementation', () => {
    const money = usdcFrame(shop, ['transferFrom', [credits, shop, price]])
    const lines = linesOf(treeOf([money, money], { usdc, columns: 140 }))
    expect(lines).toHaveLength(3)
    expect(lines[1]).toContain('via 0xd74cc5d4…C5B5')
    expect(lines[2]).not.toContain('via')
  })

  test('any other delegate call has its own line', () => {
    const library = frame({ type: 'DELEGATECALL', to: stranger, input: '0x11111111' })
    expect(lineWith(treeOf([frame({ calls: [library] })]), 'delegate to')).toContain(
      '0x90F79bf6…b906.0x11111111',
    )
  })

  test('repeated calls are counted', () => {
    const calls = Array.from({ length: 40 }, (_, place) => frame({ text: `mint(uint256 id = ${place})` }))
    const lines = linesOf(treeOf(calls))
    expect(lines).toHaveLength(4)
    expect(lines[3]).toContain('… 38 more like it')
  })

  test('a tree of thousands of calls is shortened, with the number of omitted calls', () => {
    const many = (first: number, calls: () => CallFrame[] = () => []) =>
      Array.from({ length: 30 }, (_, place) =>
        frame({ to: `0x${`${place + first}`.repeat(20)}`, calls: calls() }),
      )
    const branches = many(50, () => many(10))
    const lines = linesOf(treeOf(branches))
    expect(lines.length).toBeLessThan(130)
    expect(lines.some((line) => line.endsWith('… 30 more calls'))).toBe(true)
  })

  test('the path to a failure is never omitted', () => {
    const noise = Array.from({ length: 300 }, (_, place) =>
      frame({ to: `0x${(place + 4096).toString(16).padStart(40, '0')}` }),
    )
    const broken = frame({ to: stranger, text: 'deliver()', failure: 'OutOfStock', calls: [] })
    const text = treeOf([...noise, frame({ calls: [...noise, broken], failure: 'OutOfStock' })], {
      failedAt: [300, 300],
    })
    expect(text).toContain('✗ OutOfStock')
    expect(text).toContain('deliver()')
  })

  test('calls a thousand deep are counted', () => {
    let deep = frame()
    for (let depth = 0; depth < 1_000; depth++) deep = frame({ calls: [deep] })
    const text = treeText(deep)
    expect(linesOf(text).length).toBeLessThan(20)
    expect(text).toContain('… 989 more calls')
  })

  test('a propagated failure is shown once, at its origin', () => {
    expect(formatReport(soldOutReport()).match(/✗ SoldOut: limit 5/g)).toHaveLength(1)
    expect(formatReport(soldOutReport())).not.toContain('CallFailed')
  })

  test('a call without data shows the native coin that it sends', () => {
    expect(treeOf([frame({ value: 10n ** 15n })])).toContain(' without data with 0.001 of the native coin')
  })

  test('the input of a precompile is shown as bytes, regardless of its prefix', () => {
    const recover = frame({
      type: 'STATICCALL',
      to: `0x${'1'.padStart(40, '0')}`,
      input: `0x${'7535'.repeat(64)}`,
    })
    expect(treeOf([recover])).toContain('read ecrecover(128 bytes)')
  })
})
