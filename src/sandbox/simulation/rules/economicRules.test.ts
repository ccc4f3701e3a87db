import { encodeFunctionData, erc20Abi, type Hex, pad, toHex, zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { creditsAbi } from '../../../../contracts/generated/Credits.ts'
import type { CallFrame } from '../redeemReport.ts'
import { accounts, frame, price, redeemFrame, report, usdcFrame } from '../text/report.fixture.ts'
import { suggestedMinimumGas } from './gas.ts'
import { reenters } from './nestedCalls.ts'
import { nftShape } from './nftShape.ts'
import { pulls } from './pulls.ts'
import { type Judge, type RuleContext, ruleFinding } from './rule.ts'
import { ruleCatalogue } from './ruleCatalogue.ts'
import { failedWith, ruleContext } from './rules.fixture.ts'
import { leavesAllowance, nftStaysBehind } from './staysBehind.ts'
import { whitelisted } from './whitelisted.ts'

const { customer, credits, shop, usdc, stranger, relayer } = accounts
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** Returns severity, code and message of each finding. */
const said = async (judge: Judge, context: RuleContext) =>
  (await judge(context)).map(({ severity, code, message }) => `${severity} ${code}: ${message}`)
/** Returns the report's redeem, with another transaction type. */
const shaped = (shape: RuleContext['redeem']['shape']) => ({ ...report().redeem, shape })

describe('the USDC that a call takes', () => {
  const pull = (from: Hex, to: Hex, amount: bigint, failure?: string) =>
    usdcFrame(
      shop,
      ['transferFrom', [from, to, amount]],
      failure === undefined ? {} : { failure, output: '0x' },
    )
  const give = (to: Hex, amount: bigint, changes: Parameters<typeof frame>[0] = {}) =>
    frame({
      from: shop,
      to: usdc,
      input: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
      ...changes,
    })
  const fails = { failure: 'exceeds', output: '0x' } as const
  const judged = (call: Parameters<typeof frame>[0], changes: Partial<RuleContext> = {}) =>
    said(pulls, ruleContext(frame(call), changes))
  const cents = 10_000n

  test.each<[string, bigint, string[]]>([
    ['is the amount: no finding', price, []],
    ['is more than the amount at the end: no finding', price + 1n, []],
    [
      'is one cent less: a warning',
      price - cents,
      [`warning PULLS_LESS: ${shop} takes 9.99 of 10.00 USDC: the rest is returned as credits.`],
    ],
    [
      'is nothing: a danger',
      0n,
      [`danger PULLS_NOTHING: ${shop} takes none of the 10.00 USDC: all of it is returned as credits.`],
    ],
  ])('%s', async (_, pulled, expected) => {
    expect(await judged({}, { pulled })).toEqual(expected)
  })

  test('exceeds the amount together with an earlier pull: a danger', async () => {
    const call = { ...fails, calls: [pull(credits, shop, 6n * price), pull(credits, shop, price, 'exceeds')] }
    expect(await judged(call, { pulled: undefined })).toEqual([
      'danger PULLS_MORE: It requests 70.00 USDC; the amount is 10.00.',
    ])
  })

  test('exceeds the amount or comes from another account: a danger, even if a library replaces the error', async () => {
    const own = { failure: 'TransferFromFailed', output: '0x7939f424' } as const
    const exceeds = { failure: 'exceeds', output: '0x08c379a0' } as const
    const pulled = (from: Hex, amount: bigint) => ({ ...pull(from, shop, amount), ...exceeds })
    const reported = (inner: CallFrame) => judged({ ...own, calls: [inner] }, { pulled: undefined })
    expect(await reported(pulled(credits, 2n * price))).toEqual([
      'danger PULLS_MORE: It requests 20.00 USDC; the amount is 10.00.',
    ])
    expect(
      await reported(frame({ from: shop, to: stranger, ...own, calls: [pulled(stranger, price)] })),
    ).toEqual([expect.stringContaining('PULLS_FROM_OTHERS')])
  })

  test.each<[string, Parameters<typeof frame>[0]]>([
    ['is the amount, but the pull fails', { ...fails, calls: [pull(credits, shop, price, 'paused')] }],
    [
      'exceeds the amount, but another call fails',
      { ...fails, calls: [pull(credits, shop, 2n * price), frame({ from: shop, to: stranger, ...fails })] },
    ],
    [
      'exceeds the amount in a failed pull that is caught, and another call fails',
      {
        ...fails,
        calls: [pull(credits, shop, 2n * price, 'exceeds'), frame({ from: shop, to: stranger, ...fails })],
      },
    ],
    ['is nothing, and the call fails', { ...fails }],
  ])('%s: no finding, because another rule explains the failure', async (_, call) => {
    expect(await judged(call, { pulled: undefined })).toEqual([])
  })

  test('is partly sent back to the credits contract: a danger', async () => {
    const calls = [
      pull(credits, shop, price),
      give(credits, 3n * cents),
      give(credits.toLowerCase() as Hex, cents),
    ]
    expect(await judged({ calls })).toEqual([
      'danger PULLS_LESS: It takes 10.00 USDC and sends 0.04 back to msg.sender, the credits contract, where it belongs to no customer.',
    ])
    // Nothing was taken in total.
    expect(await judged({ calls }, { pulled: 0n })).toEqual([expect.stringContaining('PULLS_NOTHING')])
  })

  test.each([
    ['was reverted', give(credits, cents, fails)],
    ['went to another wallet', give(stranger, cents)],
  ])('does not count as sent back if the transfer %s', async (_, back) => {
    expect(await judged({ calls: [pull(credits, shop, price), back] })).toEqual([])
  })

  const approved = 'The credits contract approved the amount and makes the call.'
  test.each<[string, Hex, string]>([
    ['the customer', customer, `the customer, ${customer}`],
    ['the relayer', relayer, `tx.origin, the relayer ${relayer}`],
  ])('comes from %s: a danger, even if the failure is caught', async (_, from, whose) => {
    const message = `danger PULLS_FROM_OTHERS: ${shop} requests 10.00 USDC from ${whose}, for ${stranger}. ${approved}`
    expect(await judged({ calls: [pull(from, stranger, price)] })).toEqual([message])
    expect(await judged({ calls: [pull(from, stranger, price, 'exceeds')] })).toEqual([message])
  })

  test('comes from a third party: a danger only if the redeem fails because of it', async () => {
    expect(await judged({ calls: [pull(stranger, shop, price)] })).toEqual([])
    const call = { ...fails, calls: [pull(stranger, shop, price, 'exceeds')] }
    expect(await judged(call, { pulled: undefined })).toEqual([
      `danger PULLS_FROM_OTHERS: ${shop} requests 10.00 USDC from ${stranger}, for ${shop}. ${approved}`,
    ])
  })

  test('comes from the contract itself: no finding for a transfer, but one for a transferFrom, which needs an approval', async () => {
    expect(await judged({ ...fails, calls: [give(stranger, price, fails)] }, { pulled: undefined })).toEqual(
      [],
    )
    const call = { ...fails, calls: [pull(shop, stranger, price, 'exceeds')] }
    expect(await judged(call, { pulled: undefined })).toEqual([expect.stringContaining('PULLS_FROM_OTHERS')])
  })

  test('is not checked if the redeem did not reach the call', async () => {
    expect(await said(pulls, ruleContext(undefined, { call: undefined, pulled: 0n }))).toEqual([])
  })
})

/** Returns a token with its owner at the end. */
const token = (changes: Partial<RuleContext['tokens'][number]> = {}): RuleContext['tokens'][number] => ({
  contract: shop,
  standard: 'ERC-721',
  id: 7n,
  amount: 1n,
  mintedTo: undefined,
  holder: customer,
  claimed: customer,
  wasThere: false,
  ...changes,
})
const moved = (from: Hex, to: Hex, id = 7n) => ({
  address: shop,
  topics: [transferTopic, pad(from), pad(to), toHex(id, { size: 32 })] as const,
  data: '0x' as const,
  text: undefined,
})

describe('the sold token', () => {
  const settlement = { ...ruleContext(undefined).settlement, nftContract: shop, nftId: 7n }

  test.each([
    [
      'NoTokensArrived',
      'safeMint',
      `MINTS_WITHOUT_HOOK: The call is declared as \`safeMint\`, but no token of ${shop} arrived through the receiver hook.`,
    ],
    [
      'TokenIdNotReturned',
      'returned',
      `RETURNS_NO_ID: The call is declared as \`returned\`, but ${shop} returns no token id.`,
    ],
    [
      'TokenNotReceived',
      'knownTokenId',
      `WRONG_NFT_ID: Token 7 of ${shop} was not transferred to msg.sender.`,
    ],
    [
      'TokenNotReceived',
      'returned',
      `WRONG_NFT_ID: The returned token, 9, of ${shop} was not transferred to msg.sender.`,
    ],
    [
      'TokenAlreadyOwned',
      'safeMint',
      `WRONG_NFT_ID: A token of ${shop} already belonged to the credits contract.`,
    ],
    ['UnexpectedToken', 'knownTokenId', `WRONG_NFT_ID: Token 7 of ${shop} arrived with other tokens.`],
  ] as const)('is reported for the error %s in a %s redeem', async (error, shape, message) => {
    const call = frame({ output: toHex(9n, { size: 32 }) })
    const more = { redeem: shaped(shape), settlement }
    expect(await said(nftShape, ruleContext(call, { ...more, execution: failedWith(error) }))).toEqual([
      `danger ${message}`,
    ])
    // The merchant's own contract may have an error with this name.
    expect(await said(nftShape, ruleContext(call, { ...more, execution: failedWith(error, [1]) }))).toEqual(
      [],
    )
  })

  test('may be one of several in a redeem of type returned: the finding counts them, although the node omits their events', async () => {
    const two = [9n, 10n].map((id) => moved(zeroAddress, credits, id))
    // A token of another contract, and a token sent to another account.
    const others = [{ ...moved(zeroAddress, credits), address: stranger }, moved(zeroAddress, stranger, 12n)]
    const judged = (
      logs: ReturnType<typeof frame>['logs'],
      shape: 'returned' | 'knownTokenId' = 'returned',
    ) =>
      said(
        nftShape,
        ruleContext(frame({ output: toHex(9n, { size: 32 }) }), {
          callAlone: async () => ({ succeeded: true, frame: frame({ logs }) }),
          redeem: shaped(shape),
          settlement,
          execution: failedWith('TokenNotReceived'),
        }),
      )
    expect(await judged([...two, ...others])).toEqual([
      `danger WRONG_NFT_ID: 2 tokens of ${shop} were transferred to msg.sender, but the type \`returned\` delivers one.`,
    ])
    const missing = 'was not transferred to msg.sender.'
    expect(await judged([...two.slice(1), ...others])).toEqual([
      `danger WRONG_NFT_ID: The returned token, 9, of ${shop} ${missing}`,
    ])
    expect(await judged(two, 'knownTokenId')).toEqual([`danger WRONG_NFT_ID: Token 7 of ${shop} ${missing}`])
  })

  test('is not an ERC-721 token: the fix says what to declare', async () => {
    const hook = frame({ from: shop, to: credits, input: '0xf23a6e61' })
    const known = await nftShape(
      ruleContext(frame({ calls: [hook] }), {
        redeem: shaped('knownTokenId'),
        settlement,
        execution: failedWith('TokenNotReceived'),
      }),
    )
    // The credits contract queries its balance before the call.
    const asked = frame({ type: 'STATICCALL', from: credits, to: shop, failure: 'it reverted' })
    const returned = await nftShape({
      ...ruleContext(frame(), {
        redeem: shaped('returned'),
        settlement,
        frame: redeemFrame([asked], { failure: 'it reverted' }),
        execution: failedWith('CallFailed'),
      }),
      call: undefined,
    })
    expect([known, returned]).toMatchObject([
      [
        {
          code: 'WRONG_NFT_ID',
          message: `Token 7 of ${shop} is an ERC-1155 token, but the type \`known token id\` delivers ERC-721 tokens only.`,
          fix: 'Declare the type `safeMint`: it delivers ERC-1155 tokens too.',
        },
      ],
      [
        {
          code: 'WRONG_NFT_ID',
          message: `${shop} does not support balanceOf(address), but the type \`returned\` delivers ERC-721 tokens only.`,
          fix: 'For an ERC-1155 token, declare the type `safeMint`. If another contract has the token, pass it as nftContract.',
        },
      ],
    ])
  })

  test('is not judged after other errors', async () => {
    expect(await said(nftShape, ruleContext(frame(), { execution: failedWith('Expired') }))).toEqual([])
  })

  test('is named without an id if the return value is too short', async () => {
    const context = ruleContext(frame({ output: `0x${'00'.repeat(31)}` }), {
      redeem: shaped('returned'),
      settlement,
      execution: failedWith('TokenNotReceived'),
    })
    expect(await said(nftShape, context)).toEqual([
      `danger WRONG_NFT_ID: A token of ${shop} was not transferred to msg.sender.`,
    ])
  })

  const missing = (what: string) => [
    `danger WRONG_NFT_ID: ${what} of ${shop} does not belong to the customer at the end.`,
  ]
  test.each<[RuleContext['redeem']['shape'], string, RuleContext['tokens'], string[]]>([
    ['normal', 'no token', [], []],
    ['safeMint', 'no event', [], []],
    ['safeMint', 'the customer’s token', [token()], []],
    ['safeMint', 'a token of another contract', [token({ contract: stranger, holder: stranger })], []],
    [
      'safeMint',
      'a token of another wallet',
      [token({ holder: stranger, claimed: stranger })],
      missing('A token'),
    ],
    [
      'safeMint',
      'two tokens, one of them owned by the customer',
      [token({ holder: stranger, id: 8n }), token()],
      [],
    ],
    ['returned', 'no event', [], missing('A token')],
    ['returned', 'the customer’s token', [token({ id: 8n })], []],
    ['knownTokenId', 'the token', [token()], []],
    ['knownTokenId', 'another id', [token({ id: 8n })], missing('Token 7')],
    ['knownTokenId', 'the token of another wallet', [token({ holder: stranger })], missing('Token 7')],
  ])('is checked at the end of a %s redeem: %s', async (shape, _, tokens, expected) => {
    expect(await said(nftShape, ruleContext(frame(), { redeem: shaped(shape), settlement, tokens }))).toEqual(
      expected,
    )
  })

  test.each<[string, RuleContext['tokens'], string[]]>([
    ['is burned', [token({ holder: zeroAddress, claimed: zeroAddress })], ['is then burned']],
    ['is taken back', [token({ holder: shop, claimed: shop })], [`then goes to ${shop}`]],
    [
      'is taken back, but another token stays',
      [token({ holder: shop, claimed: shop }), token({ id: 8n })],
      [],
    ],
    ['stays with the customer according to the last event', [token({ holder: shop })], []],
    ['has no known owner at the end', [], []],
    ['is not among the tokens at the end', [token({ id: 8n, holder: shop, claimed: shop })], []],
  ])('reaches the customer and %s', async (_, tokens, where) => {
    const root = redeemFrame([frame({ logs: [moved(zeroAddress, customer), moved(customer, shop)] })])
    expect(await said(nftShape, ruleContext(frame(), { frame: root, tokens }))).toEqual(
      where.map(
        (text) =>
          `danger WRONG_NFT_ID: ERC-721 token 7 of ${shop} reaches the customer and ${text} in the same call: the customer pays and does not keep it.`,
      ),
    )
  })

  test('may be sent by the customer to themselves', async () => {
    const root = redeemFrame([frame({ logs: [moved(customer, customer)] })])
    const tokens = [token({ holder: shop, claimed: shop })]
    expect(await said(nftShape, ruleContext(frame(), { frame: root, tokens }))).toEqual([])
  })
})

describe('tokens that stay behind', () => {
  const name = `ERC-721 token 7 of ${shop}`
  const lost = 'the customer pays and does not receive it.'
  test.each<[string, Partial<RuleContext['tokens'][number]>, Partial<RuleContext['redeem']>, string[]]>([
    ['belongs to the customer', {}, {}, []],
    ['belongs to a stranger, as the event says', { holder: stranger, claimed: stranger }, {}, []],
    [
      'is with the credits contract',
      { holder: credits, claimed: credits },
      {},
      [`NFT_STAYS_BEHIND: ${name} stays with msg.sender, the credits contract: ${lost}`],
    ],
    [
      'was minted to the credits contract without the hook',
      { holder: credits, claimed: credits },
      { shape: 'safeMint' },
      [`MINTS_WITHOUT_HOOK: ${name} stays with msg.sender, the credits contract: ${lost}`],
    ],
    [
      'was added to a safeMint by another contract',
      { holder: credits, claimed: credits, contract: stranger },
      { shape: 'safeMint' },
      [
        `NFT_STAYS_BEHIND: ERC-721 token 7 of ${stranger} stays with msg.sender, the credits contract: ${lost}`,
      ],
    ],
    [
      'is an ERC-1155 token of a safeMint',
      { holder: credits, claimed: credits, standard: 'ERC-1155' },
      { shape: 'safeMint' },
      [`NFT_STAYS_BEHIND: ERC-1155 token 7 of ${shop} stays with msg.sender, the credits contract: ${lost}`],
    ],
    ['was with the credits contract before', { holder: credits, claimed: credits, wasThere: true }, {}, []],
    [
      'is with the relayer',
      { holder: relayer, claimed: relayer },
      {},
      [`NFT_STAYS_BEHIND: ${name} goes to tx.origin, the relayer ${relayer}: ${lost}`],
    ],
    ['was with the relayer before', { holder: relayer, claimed: relayer, wasThere: true }, {}, []],
    [
      'is with a relayer that is the customer',
      { holder: relayer, claimed: relayer },
      { wallet: relayer },
      [],
    ],
    [
      'has a different owner than the event says',
      { holder: stranger },
      {},
      [`NFT_STAYS_BEHIND: The event says that ${name} went to ${customer}, but its owner is ${stranger}.`],
    ],
    [
      'has no owner',
      { holder: zeroAddress },
      {},
      [`NFT_STAYS_BEHIND: The event says that ${name} went to ${customer}, but it has no owner.`],
    ],
    ['was burned', { holder: stranger, claimed: zeroAddress }, {}, []],
  ])('are found by the owner of each token: it %s', async (_, changes, redeem, expected) => {
    const context = ruleContext(frame(), {
      tokens: [token(changes)],
      redeem: { ...report().redeem, ...redeem },
      settlement: { ...ruleContext(undefined).settlement, nftContract: shop },
    })
    expect(await said(nftStaysBehind, context)).toEqual(expected.map((text) => `danger ${text}`))
  })

  test('are limited to four findings', async () => {
    const tokens = Array.from({ length: 6 }, (_, id) => token({ id: BigInt(id), holder: credits }))
    expect(await said(nftStaysBehind, ruleContext(frame(), { tokens }))).toHaveLength(4)
  })

  const coins = (from: Hex, to: Hex, amount: bigint, address: Hex = stranger) => ({
    address,
    topics: [transferTopic, pad(from), pad(to)] as const,
    data: toHex(amount, { size: 32 }),
    text: undefined,
  })
  test.each<[string, ReturnType<typeof coins>[], Partial<RuleContext['redeem']>, string[]]>([
    ['with the credits contract', [coins(shop, credits, 5n)], {}, ['msg.sender, the credits contract']],
    ['with the relayer', [coins(shop, relayer, 5n)], {}, [`tx.origin, the relayer ${relayer}`]],
    ['with a relayer that is the customer', [coins(shop, relayer, 5n)], { wallet: relayer }, []],
    ['that were forwarded', [coins(shop, credits, 5n), coins(credits, customer, 5n)], {}, []],
    ['that are USDC', [coins(shop, credits, 5n, usdc)], {}, []],
  ])('are searched for ERC-20 tokens %s', async (_, logs, redeem, who) => {
    const root = redeemFrame([frame({ logs })])
    const context = ruleContext(frame(), { frame: root, redeem: { ...report().redeem, ...redeem } })
    expect(await said(nftStaysBehind, context)).toEqual(
      who.map(
        (text) =>
          `danger NFT_STAYS_BEHIND: 5 raw units of the ERC-20 token ${stranger} go to ${text}: the customer pays and does not receive them.`,
      ),
    )
  })

  describe('a token that the credits contract rejects', () => {
    const hook = frame({ from: shop, to: credits, input: '0x150b7a02', failure: 'refused', output: '0x' })
    const refused = (inner = hook) => frame({ failure: 'refused', output: '0x', calls: [inner] })
    test.each<[string, ReturnType<typeof frame>, string, RuleContext['redeem']['shape'], number]>([
      ['a normal redeem', refused(), 'UnexpectedToken', 'normal', 1],
      ['a token of another contract', refused(), 'UnexpectedToken', 'safeMint', 1],
      ['too many tokens', refused(), 'TooManyTokens', 'safeMint', 0],
      [
        'a call of another function',
        refused({ ...hook, input: '0x12345678' }),
        'UnexpectedToken',
        'normal',
        0,
      ],
      ['a hook of the customer’s wallet', refused({ ...hook, to: customer }), 'UnexpectedToken', 'normal', 0],
      ['no hook', frame(), 'Expired', 'normal', 0],
    ])(
      'is reported if a receiver hook of the credits contract refuses it: %s',
      async (_, call, error, shape, count) => {
        const context = ruleContext(call, { redeem: shaped(shape), execution: failedWith(error, [0]) })
        const findings = await nftStaysBehind(context)
        expect(findings).toHaveLength(count)
        if (count === 0) return
        const isNormal = shape === 'normal'
        expect(findings).toMatchObject([
          {
            code: 'NFT_STAYS_BEHIND',
            message: `${shop} sends a token to msg.sender, the credits contract, which forwards ${isNormal ? 'no tokens in a normal redeem' : `only tokens of ${zeroAddress}`}.`,
            fix: expect.stringContaining(
              isNormal ? 'Declare the type `safeMint`' : `pass ${shop} as nftContract`,
            ),
          },
        ])
      },
    )
  })

  test.each([
    [5n, 5n, true, []],
    [5n, 4n, true, []],
    [0n, 5_000_000n, false, []],
    [0n, 5_000_000n, true, ['5.00']],
    [0n, 2n ** 255n, true, ['all']],
  ])('include an allowance that grows: %d before, %d afterwards', async (before, after, succeeded, whats) => {
    const context = ruleContext(frame(), {
      allowances: [{ owner: shop, spender: stranger, before, after }],
      ...(!succeeded && { execution: failedWith('Expired') }),
    })
    expect(await said(leavesAllowance, context)).toEqual(
      whats.map(
        (what) =>
          `danger LEAVES_ALLOWANCE: ${stranger} may still spend ${what} USDC of ${shop} after the redeem.`,
      ),
    )
  })
})

describe('the whitelist', () => {
  const { whitelist } = report()
  const any: Hex[] = []
  const judged = async (entry: Partial<RuleContext['entry']>, more: Partial<RuleContext> = {}) => {
    const { redeem } = report()
    const context = ruleContext(frame(), { redeem, entry: { ...whitelist, ...entry }, ...more })
    return (await whitelisted(context)).map(({ code, message, fix }) => [code, message, fix])
  }

  test.each<[string, Partial<RuleContext['entry']>]>([
    ['allows the call', {}],
    ['is not needed', { isNeeded: false, isAllowed: false }],
  ])('%s', async (_, entry) => {
    expect(await judged(entry)).toEqual([])
  })

  test('has no entry for the contract, or only for another function', async () => {
    expect(await judged({ isAllowed: false, allowedSelectors: any })).toEqual([
      [
        'NOT_WHITELISTED',
        `${shop} is not on the whitelist of "my-shop".`,
        expect.stringContaining(`whitelist request ${shop} "buy(address,uint256)" --chain base\``),
      ],
    ])
    expect(await judged({ isAllowed: false, allowedSelectors: ['0x12345678', '0x87654321'] })).toEqual([
      [
        'SELECTOR_NOT_WHITELISTED',
        `${shop} is on the whitelist of "my-shop", but its function buy(address,uint256) is not. Allowed: 0x12345678, 0x87654321.`,
        expect.stringMatching(/^Call an allowed function, or request an entry: /),
      ],
    ])
  })

  test('has an entry for any function, which does not cover a function whose data contains further calls', async () => {
    expect(await judged({ isAllowed: false, allowedSelectors: ['any'] })).toEqual([
      [
        'SELECTOR_NOT_WHITELISTED',
        `${shop} is on the whitelist of "my-shop" with any function. That does not cover buy(address,uint256), because its data contains further calls.`,
        expect.stringContaining(
          `Request an entry for this function: \`npx redeemkit whitelist request ${shop} "buy`,
        ),
      ],
    ])
  })

  test.each([
    [{ signature: undefined }, `request ${shop} "0xcce7ec13" --chain base\``],
    [{ signature: undefined, selector: undefined }, `request ${shop} --chain base\``],
    // A shell would expand the dollar sign.
    [{ signature: 'buy$(address)' }, `request ${shop} "0xcce7ec13" --chain base\``],
  ])('lacks an entry: the finding names the command that requests it: %j', async (redeem, expected) => {
    const [[, , fix] = []] = await judged(
      { isAllowed: false, allowedSelectors: any },
      { redeem: { ...report().redeem, ...redeem } },
    )
    expect(fix).toContain(expected)
  })

  test('lacks an entry on the destination chain of a decent redeem: the finding names the chain', async () => {
    const context = ruleContext(frame(), { redeem: shaped('decent') })
    const { bridge } = context.settlement
    const settlement = { ...context.settlement, bridge: { ...bridge, dstChainId: 421_614n } }
    const entry = { ...whitelist, isAllowed: false, allowedSelectors: any }
    const [found] = await whitelisted({ ...context, settlement, entry })
    expect(found?.message).toBe(`${shop} on chain 421614 is not on the whitelist of "my-shop".`)
    expect(found?.fix).toContain('"buy(address,uint256)" --chain base --dst-chain 421614`')
  })

  test('cannot allow some contracts and functions', async () => {
    const entry = { forbidden: 'USDC' }
    const message = `No entry can allow ${shop}: it is USDC.`
    expect(await judged(entry)).toMatchObject([['NOT_WHITELISTED', message, expect.any(String)]])
    expect(await judged(entry, { execution: failedWith('ForbiddenTarget') })).toEqual([
      ['NOT_WHITELISTED', message, 'Fix it.'],
    ])
  })

  test.each([
    [
      'NftContractNotWhitelisted',
      'NOT_WHITELISTED',
      'The NFT contract is not whitelisted: NftContractNotWhitelisted().',
    ],
    [
      'ForbiddenSelector',
      'SELECTOR_NOT_WHITELISTED',
      'No entry can allow buy(address,uint256): it is a transfer.',
    ],
  ])('is blamed for %s only if the credits contract itself reverts with it', async (error, code, message) => {
    const entry = { forbidden: 'a transfer' }
    expect(await judged(entry, { execution: failedWith(error) })).toEqual([[code, message, 'Fix it.']])
    expect(await judged(whitelist, { execution: failedWith(error, [1]) })).toEqual([])
  })
})

describe('a call from the merchant to the credits contract', () => {
  const abi = creditsAbi
  const view = encodeFunctionData({ abi, functionName: 'bridgeAdapter' })
  const inner = (changes: Parameters<typeof frame>[0]) =>
    frame({ calls: [frame({ from: shop, to: credits, input: '0x12345678', ...changes })] })
  test.each<[string, ReturnType<typeof frame>, string[]]>([
    ['an unknown function', inner({}), ['0x12345678']],
    ['a function with a name', inner({ text: 'burn(uint256 amount = 1)' }), ['burn']],
    ['through another contract', frame({ calls: [inner({})] }), ['0x12345678']],
    ['a receiver hook', inner({ input: '0x150b7a02' }), []],
    ['a view function', inner({ input: view }), []],
    ['a static call', inner({ type: 'STATICCALL' }), []],
    ['a call to another contract', inner({ to: stranger }), []],
  ])('is reported only if it can change state: %s', async (_, call, names) => {
    expect(await said(reenters, ruleContext(call))).toEqual(
      names.map(
        (name) => `danger REENTERS: ${shop} calls ${name} of the credits contract during the redeem.`,
      ),
    )
  })
})

test.each(ruleCatalogue)(
  '$code has the fix of the catalogue, unless the rule passes its own',
  ({ code, fix }) => {
    expect(ruleFinding('danger' as never, code, 'It is broken.')).toMatchObject({ code, fix })
    expect(ruleFinding('danger' as never, code, 'It is broken.', 'Mend it.')).toMatchObject({
      fix: 'Mend it.',
    })
  },
)

describe('the suggested minimumGas', () => {
  const flat = (gasUsed: bigint) => frame({ gas: 16_000_000n, gasUsed })
  test.each<[bigint, bigint | undefined]>([
    [100_000n, 130_000n],
    [99_999n, 120_000n],
    [15_500_000n, 15_500_000n],
    [15_500_001n, undefined],
  ])('is derived from the gas that the call uses: %d', (gasUsed, expected) => {
    expect(suggestedMinimumGas(flat(gasUsed))).toBe(expected)
  })

  test('adds the 64th that each inner call leaves to its caller', () => {
    // The call has 640,000 gas left before the inner call, which gets 63/64 of it and needs all of those 630,000.
    const inner = { from: shop, to: stranger, gas: 6_300_000n, gasUsed: 630_000n }
    const call = frame({ gas: 6_500_000n, gasUsed: 730_000n, calls: [frame(inner)] })
    expect(suggestedMinimumGas(call)).toBe(((740_000n * 6n) / 5n / 10_000n + 1n) * 10_000n)
    // A fixed gas limit does not depend on the remaining gas.
    const fixed = frame({ gas: 6_500_000n, gasUsed: 730_000n, calls: [frame({ ...inner, gas: 700_000n })] })
    expect(suggestedMinimumGas(fixed)).toBe(((730_000n * 6n) / 5n / 10_000n + 1n) * 10_000n)
  })
})
