import { encodeAbiParameters, type Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import type { InspectContext } from '../creditPermit/inspectOptions.ts'
import { members, shownInspection } from './shownInspection.fixture.ts'

const wallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const stranger = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const other = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
const zero = '0x0000000000000000000000000000000000000000'
const context: InspectContext = { address: wallet, chainId: 8453 }
const pad = (value: string | bigint) =>
  (typeof value === 'string' ? value.slice(2).toLowerCase() : value.toString(16)).padStart(64, '0')
const call = (selector: string, ...values: (string | bigint)[]): Hex =>
  `0x${selector}${values.map(pad).join('')}`
const all = 2n ** 256n - 1n

type Json = { [name: string]: unknown }
const request = (method: string, params: unknown[] | undefined, more: InspectContext = context) =>
  shownInspection({ method, params }, more)
const send = (transaction: Json, more?: InspectContext) =>
  request('eth_sendTransaction', [{ from: wallet, ...transaction }], more)
const nftNote = 'Note: If this token is an NFT, the amount is its ID.'
const end = [`Contract: ${other}`, 'Chain: Base', `Account: ${wallet}`]

describe('a call that moves coins or tokens:', () => {
  test('the value of a transaction is a move of the native coin', () => {
    const move = { direction: 'out', asset: 'native', amount: 1n, decimals: 18, from: wallet, to: stranger }
    expect(send({ to: stranger, value: '0x1' }).moves).toEqual([move])
    expect(send({ to: stranger, value: '0x0' }).moves).toEqual([])
    expect(send({ to: stranger, value: '0x1', data: '0x12345678' }).moves).toEqual([move])
  })
  test('the value is shown in wei if the chain has no known native coin, as on Tempo', () => {
    expect(send({ to: stranger, value: '0x1' }, { ...context, chainId: 31337 }).title).toBe(
      'Sends 1 wei to 0x7099…79C8.',
    )
    expect(send({ to: stranger, value: '0x1' }, { ...context, chainId: 4217 }).title).toContain(' 1 wei ')
  })
  test.each<[string, string, string, string, string[]]>([
    ["the wallet's tokens", wallet, stranger, 'out', []],
    ["another account's tokens, to a third account", stranger, other, 'other', [`Payer: ${stranger}`]],
    ["another account's tokens, to the wallet", stranger, wallet, 'in', [`Payer: ${stranger}`]],
  ])('transferFrom of %s', (_, from, to, direction, payer) => {
    const { moves, lines, title } = send({ to: other, data: call('23b872dd', from, to, 5n) })
    expect(moves).toEqual([{ direction, asset: other, amount: 5n, decimals: undefined, from, to }])
    expect(lines).toEqual([...payer, `Receiver: ${to}`, nftNote, ...end])
    const short = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`
    expect(title).toBe(
      `Sends 5 raw units of the token 0x5FbD…0aa3${payer.length > 0 ? ` from ${short(from)}` : ''} to ${short(to)}.`,
    )
  })
  test('a note says that the amount may be the id of an NFT, unless the token is USDC or the function cannot move NFTs', () => {
    expect(send({ to: usdc, data: call('23b872dd', wallet, stranger, 5n) }).lines).not.toContain(nftNote)
    expect(send({ to: other, data: call('a9059cbb', stranger, 5n) }).lines).not.toContain(nftNote)
    expect(send({ to: other, data: call('095ea7b3', stranger, 5n) }).lines).toContain(nftNote)
    expect(send({ to: usdc, data: call('095ea7b3', stranger, 5n) }).lines).not.toContain(nftNote)
    expect(send({ to: other, data: call('095ea7b3', stranger, all) }).lines).not.toContain(nftNote)
  })
  test("safeTransferFrom of another account's NFT to the wallet", () => {
    expect(send({ to: other, data: call('42842e0e', stranger, wallet, 7n) })).toMatchObject({
      title: 'Sends NFT 7 of the contract 0x5FbD…0aa3 from 0x7099…79C8 to 0xf39F…2266.',
      lines: [`Payer: ${stranger}`, `Receiver: ${wallet}`, ...end],
      moves: [{ direction: 'in', asset: other, amount: 1n, decimals: undefined, from: stranger, to: wallet }],
    })
  })
  test.each([
    ['transferAndCall (ERC-677)', '4000aea0'],
    ['transferAndCall (ERC-1363)', '1296ee62'],
    ['send (ERC-777)', '9bd9bbc6'],
  ])("%s moves the wallet's tokens", (_, selector) => {
    const { moves, title } = send({ to: usdc, data: call(selector, stranger, 5_000_000n, 96n, 0n) })
    expect(title).toBe('Sends 5.00 USDC to 0x7099…79C8.')
    expect(moves).toMatchObject([{ direction: 'out', amount: 5_000_000n, to: stranger }])
  })
  test.each([
    ['approveAndCall', 'cae9ca51', all, 'Lets 0x7099…79C8 spend all of your USDC.'],
    ['approveAndCall (ERC-1363)', '3177029f', all, 'Lets 0x7099…79C8 spend all of your USDC.'],
    ['increaseApproval', 'd73dd623', all, 'Lets 0x7099…79C8 spend all of your USDC.'],
    ['setOperator (ERC-6909)', '558a7297', 1n, 'Lets 0x7099…79C8 spend all of your USDC.'],
  ])('%s of an unlimited amount is an unlimited approval', (_, selector, value, title) => {
    expect(send({ to: usdc, data: call(selector, stranger, value, 96n, 0n) })).toMatchObject({
      verdict: 'refuse',
      title,
      grants: [{ amount: 'unlimited', to: stranger }],
    })
    expect(send({ to: usdc, data: call(selector, stranger, 0n, 96n, 0n) }).verdict).toBe('caution')
  })
  test('safeBatchTransferFrom: the title names at most five NFTs, a line names all', () => {
    const many = (count: bigint, amounts = count) =>
      send({
        to: other,
        data: call(
          '2eb2c2d6',
          wallet,
          stranger,
          160n,
          192n + 32n * count,
          224n + 32n * (count + amounts),
          count,
          ...Array.from({ length: Number(count) }, (_, id) => BigInt(id)),
          amounts,
          ...Array<bigint>(Number(amounts)).fill(1n),
          0n,
        ),
      })
    expect(many(5n).title).toContain('Sends NFT 0, 1, 2, 3, 4 of')
    expect(many(5n).lines).toEqual([`Receiver: ${stranger}`, ...end])
    expect(many(6n).title).toContain('Sends NFT 0, 1, 2, 3, 4, … of')
    expect(many(6n).lines).toEqual([`Receiver: ${stranger}`, 'NFT: 0, 1, 2, 3, 4, 5', ...end])
    expect(many(6n).moves).toHaveLength(6)
    // the list of amounts is shorter than the list of ids
    expect(many(2n, 1n).codes).toEqual(['UNKNOWN_REQUEST'])
  })
})

describe('a call that approves:', () => {
  test('authorizeOperator (ERC-777) is an unlimited approval', () => {
    expect(send({ to: other, data: call('959b8c3f', stranger) })).toMatchObject({
      codes: ['UNLIMITED_APPROVAL'],
      title: 'Lets 0x7099…79C8 spend all of your tokens of the contract 0x5FbD…0aa3.',
    })
  })
  test('a function of Permit2 is unknown if the call goes to any other contract', () => {
    const data = call('87517c45', usdc, stranger, 5n, 1n)
    expect(send({ to: other, data }).codes).toEqual(['UNKNOWN_REQUEST'])
    expect(send({ to: permit2, data }).grants).toEqual([
      { asset: usdc, amount: 5n, decimals: 6, from: wallet, to: stranger, until: 1n },
    ])
  })
  test('an approval through Permit2 names the token and the expiry, and has no note about NFTs', () => {
    const lines = (amount: bigint, end: bigint) =>
      send({ to: permit2, data: call('87517c45', other, stranger, amount, end) }).lines.slice(0, 4)
    const contract = `Contract: Permit2 (${permit2})`
    expect(lines(5n, 1n)).toEqual([
      `Spender: ${stranger}`,
      `Token: ${other}`,
      'Valid until: 1970-01-01 00:00:01 UTC (expired)',
      contract,
    ])
    expect(lines(0n, 2n ** 48n - 1n)).toEqual([
      `Spender: ${stranger}`,
      `Token: ${other}`,
      'Valid until: no time limit',
      contract,
    ])
    // expiration 0: the approval is valid in the block of the call, so it must not be shown as expired
    expect(lines(5n, 0n)).toEqual([`Spender: ${stranger}`, `Token: ${other}`, contract, 'Chain: Base'])
  })
  test('approve of 0 is a revocation, or approves the NFT with id 0', () => {
    const revoke = (to: string) => send({ to, data: call('095ea7b3', stranger, 0n) })
    expect(revoke(other)).toMatchObject({
      title: 'Revokes the right of 0x7099…79C8 to spend your tokens of the contract 0x5FbD…0aa3.',
      lines: [
        `Spender: ${stranger}`,
        'Note: If this token is an NFT, this lets the spender take NFT 0.',
        ...end,
      ],
      grants: [],
    })
    expect(revoke(usdc).lines).toHaveLength(4)
  })
  test('approve for the zero address revokes the approval of an NFT, as revocation tools request it', () => {
    const revoke = (to: string, id: bigint) => send({ to, data: call('095ea7b3', zero, id) })
    expect(revoke(other, 967_011n)).toMatchObject({
      verdict: 'caution',
      title: 'Revokes the right to take NFT 967011 of the contract 0x5FbD…0aa3.',
      lines: end,
      codes: ['NOT_COMPARED'],
      grants: [],
    })
    expect(revoke(usdc, 5n).codes).toEqual(['DELEGATE_APPROVAL'])
    // the amount may be the id of an NFT, such as the hash of an ENS name
    expect(revoke(other, all)).toMatchObject({ verdict: 'caution', codes: ['NOT_COMPARED'] })
  })
  test.each([
    [0n, '0.00 USDC'],
    [5_000_000n, '5.00 USDC'],
  ])(
    'increaseAllowance by %i: the title says that the amount is added to the existing allowance',
    (amount, text) => {
      expect(send({ to: usdc, data: call('39509351', stranger, amount) })).toMatchObject({
        title: `Lets 0x7099…79C8 spend ${text} more than before.`,
        codes: ['DELEGATE_APPROVAL'],
      })
      expect(send({ to: other, data: call('39509351', stranger, 5n) }).lines).not.toContain(nftNote)
    },
  )
})

describe('a multicall', () => {
  const pay = call('a9059cbb', stranger, 5_000_000n)
  const unknown = '0x12345678'
  const encode = (datas: readonly Hex[]) => encodeAbiParameters([{ type: 'bytes[]' }], [datas]).slice(2)
  const multicall = (...datas: Hex[]): Hex => `0xac9650d8${encode(datas)}`
  test.each<[string, string]>([
    ['without further arguments', '0xac9650d8'],
    ['with a deadline', `0x5ae401dc${pad(1n)}`],
    ['with a block hash', `0x1f0464d1${pad(all)}`],
  ])('%s is refused if it hides an unlimited approval, and names its dangerous calls first', (_, start) => {
    const isPlain = start.length === 10
    const list = encode([pay, call('095ea7b3', stranger, all), unknown])
    const data = `${start}${isPlain ? list : `${pad(64n)}${list.slice(64)}`}`
    expect(send({ to: usdc, data })).toMatchObject({
      verdict: 'refuse',
      title:
        'Lets 0x7099…79C8 spend all of your USDC. Sends 5.00 USDC to 0x7099…79C8. Calls an unknown function of 0x8335…2913 (0x12345678).',
      moves: [{ amount: 5_000_000n, to: stranger }],
      grants: [{ amount: 'unlimited', to: stranger }],
    })
  })
  test('that only has unknown calls, or that is malformed, is an unknown call', () => {
    const title = 'Calls an unknown function of 0x8335…2913 (0xac9650d8).'
    expect(send({ to: usdc, data: multicall(unknown) })).toMatchObject({ verdict: 'caution', title })
    expect(send({ to: usdc, data: multicall(multicall(pay)) })).toMatchObject({ verdict: 'caution', title })
    expect(send({ to: usdc, data: multicall() })).toMatchObject({ verdict: 'caution', title })
    expect(send({ to: usdc, data: '0xac9650d8ff' })).toMatchObject({ verdict: 'caution', title })
  })
  test('with many calls shows their total, so that small ones cannot hide a large one', () => {
    const small = call('a9059cbb', stranger, 1n)
    expect(send({ to: usdc, data: multicall(small, small, small, pay, unknown) }).title).toBe(
      'Makes 5 calls that take at least 5.000003 USDC out of your account. Calls an unknown function of 0x8335…2913 (0x12345678).',
    )
    const all4 = [small, small, small, pay, call('095ea7b3', stranger, all)]
    expect(send({ to: usdc, data: multicall(...all4) })).toMatchObject({
      verdict: 'refuse',
      title:
        'Lets 0x7099…79C8 spend all of your USDC. Makes 4 calls that take 5.000003 USDC out of your account.',
    })
  })
  test('of the account itself runs its code, and a nested one in capital letters is unknown', () => {
    expect(send({ to: wallet, data: multicall(pay) }).title).toMatch(/^Runs the code of /)
    const nested = multicall(pay).replace('0xac9650d8', '0xAC9650D8') as Hex
    expect(send({ to: usdc, data: multicall(nested, unknown) }).title).toBe(
      'Calls an unknown function of 0x8335…2913 (0xac9650d8).',
    )
    const data = multicall(nested).toUpperCase().replace('0X', '0x')
    expect(send({ to: usdc, data }).title).toMatch(/^Calls an unknown function of /)
  })
  test('keeps the coins that it sends', () => {
    expect(send({ to: usdc, value: '0x1', data: multicall(pay) })).toMatchObject({
      title: 'Sends 0.000000000000000001 ETH to 0x8335…2913. Sends 5.00 USDC to 0x7099…79C8.',
      moves: [{ amount: 5_000_000n }, { asset: 'native', amount: 1n }],
    })
  })
})

test.each<[string, Json, string]>([
  ['a large one', { gas: '0x1c9c380', gasPrice: '0x38d7ea4c68000' }, ' The network fee can be 30,000 ETH.'],
  ['a large price without gas', { maxFeePerGas: '0x38d7ea4c68000' }, ' The network fee can be 21 ETH.'],
  ['a usual one', { gas: '0x5208', maxFeePerGas: '0x77359400' }, ''],
])('the title names a large network fee that the page sets: %s', (_, fee, title) => {
  expect(send({ to: stranger, value: '0x1', ...fee }).title).toBe(
    `Sends 0.000000000000000001 ETH to 0x7099…79C8.${title}`,
  )
  expect(send({ to: stranger, value: '0x1000000000000000000000', ...fee }).title).not.toContain('fee')
})

test('the title names a large network fee, no matter what the account sends itself, and in dollars on Tempo', () => {
  const gas = { gas: '0x1c9c380', gasPrice: '0x38d7ea4c68000' }
  const value = '0x1000000000000000000000'
  expect(send({ to: wallet, value, ...gas, maxFeePerGas: '' }).title).toContain('fee can be 30,000 ETH.')
  expect(send({ to: stranger, ...gas }, { ...context, chainId: 4217 }).title).toContain(
    'fee can be $30,000.00.',
  )
})

test('a pinned contract is shown by name only on its own chain: elsewhere a stranger may control the address', () => {
  const pinned = [{ chainId: 1, creditsContract: stranger, creditSeed: 'shop', name: 'My shop' }] as const
  const look = (chainId: number, data: Hex) => {
    const { verdict, title } = send({ to: other, data }, { ...context, chainId, pinned })
    return [verdict, title.includes('"My shop"')]
  }
  expect(look(1, call('095ea7b3', stranger, all))).toEqual(['caution', true])
  expect(look(8453, call('095ea7b3', stranger, all))).toEqual(['refuse', false])
  expect(look(8453, call('a9059cbb', stranger, 5n))).toEqual(['caution', false])
})

describe('a transaction', () => {
  test('with eth_signTransaction is described like one with eth_sendTransaction', () => {
    const params = [{ from: wallet, to: stranger, value: '0x1' }]
    const { title, codes } = request('eth_sendTransaction', params)
    expect(request('eth_signTransaction', params)).toMatchObject({ title, codes })
  })
  test.each(['eth_sendTransaction', 'eth_signTransaction', 'wallet_sendCalls'])(
    '%s without a transaction is an unknown request',
    (method) => {
      for (const params of [[], undefined])
        expect(request(method, params)).toMatchObject({ codes: ['UNKNOWN_REQUEST'], verdict: 'caution' })
    },
  )
  test('is sent from its `from` account, or by default from the wallet', () => {
    const from = (transaction: Json, more?: InspectContext) => {
      const { moves, lines } = request('eth_sendTransaction', [transaction], more)
      return [moves[0]?.from, lines.filter((one) => one.startsWith('Account'))]
    }
    const given = { to: stranger, value: '0x1' }
    expect(from(given)).toEqual([wallet, [`Account: ${wallet}`]])
    expect(from({ ...given, from: other }, {})).toEqual([other, [`Account: ${other}`]])
    expect(from(given, {})).toEqual(['', []])
  })
  test('may have its call data in `data`, in `input`, or the same in both', () => {
    const data = call('a9059cbb', stranger, 5n)
    const { title } = send({ to: other, data })
    expect(title).toContain('Sends 5 raw units')
    for (const same of [
      { input: data },
      { data: null, input: data },
      { data: '', input: data },
      { data, input: '' },
      { data, input: `0x${data.slice(2).toUpperCase()}` },
      { data: `0x${data.slice(2).toUpperCase()}`, input: data },
    ])
      expect(send({ to: other, ...same }).title).toBe(title)
  })
  test('is refused if it has a list of calls and also `to`, `data` or `value`, because wallets execute only one of the two', () => {
    const calls = [{ to: stranger, value: '0x1' }]
    for (const own of [{ to: usdc }, { data: '0x12345678' }, { input: '0x12345678' }, { value: '0x1' }])
      expect(send({ ...own, calls })).toMatchObject({
        verdict: 'refuse',
        title: 'Malformed request: it has both a single call and a list of calls.',
      })
    expect(send({ to: null, data: '0x', value: '0x0', calls }).title).toContain('Sends 0.0')
  })
  test('is refused if its value is decimal text of several digits, because some wallets read that as hex', () => {
    const sent = (value: unknown) => send({ to: stranger, value })
    expect(sent('1000000000000000000')).toMatchObject({ verdict: 'refuse', codes: ['MALFORMED'] })
    expect(sent('9').title).toBe('Sends 0.000000000000000009 ETH to 0x7099…79C8.')
    expect(sent(1000).title).toBe('Sends 0.000000000000001 ETH to 0x7099…79C8.')
  })
  test('may have at most 50 calls', () => {
    const batch = (count: number) =>
      request('wallet_sendCalls', [{ calls: Array(count).fill({ to: stranger, value: '0x1' }) }])
    expect(batch(50)).toMatchObject({
      kind: 'calls',
      verdict: 'caution',
      title: 'Makes 50 calls that take 0.00000000000000005 ETH out of your account.',
    })
    expect(batch(51)).toMatchObject({ kind: 'unknown', verdict: 'refuse', codes: ['MALFORMED'] })
    expect(batch(1)).toMatchObject({ kind: 'calls', title: 'Sends 0.000000000000000001 ETH to 0x7099…79C8.' })
  })
})

test('the title of several calls states their number and the total that leaves the account', () => {
  const pay = { to: usdc, data: call('a9059cbb', stranger, 1_000_000n) }
  const coins = { to: stranger, value: '0x1' }
  const unknown = { to: other, data: '0x12345678' }
  const titleOf = (...calls: Json[]) =>
    request('wallet_sendCalls', [{ from: wallet, chainId: '0x2105', calls }], { address: wallet }).title
  expect(titleOf(pay, pay, coins)).toBe(
    'Makes 3 calls that take 2.00 USDC and 0.000000000000000001 ETH out of your account.',
  )
  // the total must not hide a call that may take everything
  const self = { to: wallet, data: '0x34fcd5be' }
  const isUnknown = 'Calls an unknown function of 0x5FbD…0aa3 (0x12345678).'
  for (const [last, also] of [
    [unknown, isUnknown],
    [{ ...unknown, value: '0x0' }, isUnknown],
    [{ data: '0x6080' }, 'Creates a new contract. What it does is unknown.'],
    [self, 'Runs the code of 0xf39F…2266 as your account, which can move everything in it.'],
  ] as const)
    expect(titleOf(pay, last)).toBe(`Makes 2 calls that take at least 1.00 USDC out of your account. ${also}`)
  expect(titleOf(unknown, self, unknown)).toMatch(/^Makes 3 calls\. Runs the code of \S+ as your account/)
  // coins do not hide the call that they are sent with
  expect(titleOf(unknown, { ...self, value: '0x1' })).toContain(
    ' Runs the code of 0xf39F…2266 as your account',
  )
  // a token with unknown decimals, an NFT or a right is not in the total: neither hides the other
  for (const [last, also] of [
    [{ to: usdc, data: call('095ea7b3', stranger, 5n) }, 'Lets 0x7099…79C8 spend up to 0.000005 USDC.'],
    [{ ...pay, to: other }, `Sends 1000000 raw units of the token 0x5FbD…0aa3 to 0x7099…79C8.`],
    [
      { to: other, data: call('42842e0e', wallet, stranger, 7n) },
      `Sends NFT 7 of the contract 0x5FbD…0aa3 to 0x7099…79C8.`,
    ],
  ] as const)
    expect(titleOf(pay, last)).toBe(`Makes 2 calls that take at least 1.00 USDC out of your account. ${also}`)
  expect(titleOf(coins, { ...unknown, value: '0x1' })).toBe(
    `Makes 2 calls that take at least 0.000000000000000002 ETH out of your account. Sends 0.000000000000000001 ETH to 0x5FbD…0aa3. ${isUnknown}`,
  )
  // without a total, the title names the call that takes or allows most
  expect(titleOf(pay, { ...pay, chainId: '0x1' })).toBe(
    'Makes 2 calls. Sends 1.00 USDC to 0x7099…79C8. Sends 1000000 raw units of the token 0x8335…2913 to 0x7099…79C8.',
  )
  expect(titleOf(unknown, { ...pay, to: other }, unknown)).toMatch(
    /^Makes 3 calls\. Sends 1000000 raw units of the token \S+ to 0x7099…79C8\. Calls an unknown function of \S+ \(0x12345678\)\.$/,
  )
  const approve = { to: usdc, data: call('095ea7b3', stranger, 5_000_000n) }
  expect(titleOf(unknown, approve)).toBe(
    `Makes 2 calls. Lets 0x7099…79C8 spend up to 5.00 USDC. ${isUnknown}`,
  )
  expect(titleOf(unknown, unknown)).toBe(`Makes 2 calls. ${isUnknown}`)
  // a transfer or approval of zero must not hide a later approval
  const nothing = { to: usdc, data: call('a9059cbb', stranger, 0n) }
  expect(titleOf(unknown, nothing)).toBe(`Makes 2 calls. ${isUnknown}`)
  expect(titleOf(nothing, { to: usdc, data: call('095ea7b3', stranger, 0n) }, approve)).toBe(
    'Makes 3 calls. Lets 0x7099…79C8 spend up to 5.00 USDC.',
  )
  // a tiny transfer must not hide a later approval either
  const tiny = { to: other, data: call('a9059cbb', stranger, 1n) }
  expect(titleOf(tiny, approve)).toBe(
    'Makes 2 calls. Sends 1 raw unit of the token 0x5FbD…0aa3 to 0x7099…79C8. Lets 0x7099…79C8 spend up to 5.00 USDC.',
  )
  expect(titleOf(tiny, { to: other, data: call('a9059cbb', stranger, 10n ** 24n) })).toContain(
    `Sends ${10n ** 24n} raw units`,
  )
  // a made-up token must not hide USDC or an NFT
  const madeUp = { to: other, data: call('a9059cbb', stranger, 10n ** 30n) }
  const nft = { to: stranger, data: call('42842e0e', wallet, other, 7n) }
  expect(titleOf({ to: other, data: call('095ea7b3', permit2, all) }, approve)).toBe(
    'Makes 2 calls. Lets Permit2 (0x0000…8BA3) spend all of your tokens of the contract 0x5FbD…0aa3. Lets 0x7099…79C8 spend up to 5.00 USDC.',
  )
  for (const calls of [
    [madeUp, nft, approve],
    [nft, approve, madeUp],
  ]) {
    expect(titleOf(...calls)).toContain(' Sends NFT 7 of the contract 0x7099…79C8 to 0x5FbD…0aa3.')
    expect(titleOf(...calls)).toContain(' Lets 0x7099…79C8 spend up to 5.00 USDC.')
    expect(titleOf(...calls)).toContain(' raw units of the token 0x5FbD…0aa3 to 0x7099…79C8.')
  }
  // the same holds if each call names its own chain
  const onPolygon = [
    { to: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', data: approve.data, chainId: '0x89' },
    { ...madeUp, chainId: '0x89' },
  ]
  expect(titleOf(...onPolygon)).toContain(' Lets 0x7099…79C8 spend up to 5.00 USDC.')
  // a call with two effects is named once
  expect(titleOf({ ...madeUp, value: '0x1', chainId: '0x1' }, unknown)).toMatch(
    /^Makes 2 calls\. Sends 0\.000000000000000001 ETH to \S+ Sends 1\d+ raw units of the token \S+ to \S+ Calls an unknown function/,
  )
  // a transfer between other accounts takes nothing from this account
  const foreign = { to: other, data: call('23b872dd', stranger, other, 10n ** 24n) }
  expect(titleOf(foreign, tiny)).toContain('Sends 1 raw unit')
  expect(titleOf(foreign, foreign)).toBe('Makes 2 calls.')
})

test('the title of a contract creation states the coins that it sends', () => {
  const creation = { data: '0x6080', value: '0xde0b6b3a7640000' }
  expect(request('eth_sendTransaction', [creation])).toMatchObject({
    title: 'Sends 1 ETH to a new contract. What it does is unknown.',
    codes: ['CONTRACT_CREATION'],
  })
})

test.each([
  [
    'another contract act as the account (ERC-7902)',
    { eip7702Auth: { account: wallet, delegation: stranger } },
  ],
  ['another key act for the account (Tempo)', { keyAuthorization: { keyId: stranger } }],
  ['other code act as the account (Tempo)', { aaAuthorizationList: [{ address: stranger }] }],
])('a batch is refused if a capability lets %s', (_, capabilities) => {
  const one = { to: stranger, value: '0x1' }
  for (const batch of [{ calls: [one], capabilities }, { calls: [one, { ...one, capabilities }] }])
    expect(request('wallet_sendCalls', [batch])).toMatchObject({
      verdict: 'refuse',
      title: expect.stringMatching(/^The request would let (?:other code|another key) act/),
    })
  const paid = { paymasterService: { url: 'https://api.example.com' }, eip7702Auth: { supported: true } }
  expect(request('wallet_sendCalls', [{ calls: [one], capabilities: paid }]).verdict).toBe('caution')
})

describe('a data suffix that the wallet should append to each call', () => {
  const suffix = (value: unknown) => ({ capabilities: { dataSuffix: { value, optional: true } } })
  const batch = (one: Json, more: Json = {}) =>
    request('wallet_sendCalls', [{ from: wallet, chainId: '0x2105', calls: [one], ...more }])
  const approval = call('095ea7b3', stranger, all)
  test.each([
    ['a suffix for all calls', batch({ to: usdc }, suffix(approval))],
    ['a suffix for one call', batch({ to: usdc, ...suffix(approval) })],
    [
      'a suffix that completes incomplete call data',
      batch({ to: usdc, data: approval.slice(0, 20) }, suffix(`0x${approval.slice(20)}`)),
    ],
  ])('is described as part of the call: %s', (_, inspection) => {
    expect(inspection).toMatchObject({
      verdict: 'refuse',
      title: 'Lets 0x7099…79C8 spend all of your USDC.',
      grants: [{ amount: 'unlimited', to: stranger }],
    })
  })
  test('does not change the description of a call whose data is complete, such as an attribution code (ERC-8021)', () => {
    const one = { to: usdc, data: call('a9059cbb', stranger, 5_000_000n) }
    const { title, lines, verdict } = batch(one)
    const code = `0x62635f720400${'8021'.repeat(8)}`
    expect(batch(one, suffix(code))).toMatchObject({ title, lines, verdict })
    expect(batch({ ...one, ...suffix(code) }, suffix(code))).toMatchObject({ title, lines, verdict })
  })
  test('is refused if a call and the request name different suffixes', () => {
    expect(batch({ to: usdc, ...suffix('0x1234') }, suffix('0x5678')).title).toBe(
      'Malformed request: `calls.capabilities` and `capabilities` differ, and wallets read only one.',
    )
    expect(batch({ to: usdc }, suffix('0x1')).verdict).toBe('refuse')
  })
})

describe('an unlimited approval is refused with every transaction method:', () => {
  const approval = { from: wallet, to: usdc, data: call('095ea7b3', stranger, all) }
  test.each([
    'eth_sendTransaction',
    'eth_signTransaction',
    'eth_sendTransactionSync',
    'eth_fillTransaction',
    'wallet_sendTransaction',
  ])('%s', (method) => {
    expect(request(method, [approval])).toMatchObject({ kind: 'transaction', verdict: 'refuse' })
    expect(request(method, approval as never).verdict).toBe('refuse')
  })
})

describe('an unknown request shows its parameters', () => {
  test('field by field', () => {
    const asked = {
      chainId: '0x1',
      signer: { type: 'account', data: { address: stranger } },
      expiry: 1795176600,
    }
    expect(request('wallet_grantPermissions', [asked]).lines).toEqual([
      'chainId: "0x1"',
      `signer: {"type":"account","data":{"address":"${stranger}"}}`,
      'expiry: 1795176600',
    ])
    expect(request('eth_decrypt', ['0x12', wallet]).lines).toEqual(['0: "0x12"', `1: "${wallet}"`])
    expect(request('eth_call', ['abc']).lines).toEqual(['0: "abc"'])
    expect(request('wallet_disconnect', []).lines).toEqual([])
  })
})

describe('requests that are always refused state the reason', () => {
  test.each([
    [
      'eth_sign',
      'BLIND_SIGNATURE',
      'The request signs bytes that cannot be read: they could be a transaction.',
    ],
    [
      'eth_signTypedData',
      'BLIND_SIGNATURE',
      'The typed data has version 1, which names no site or contract: the signature could be used anywhere.',
    ],
    [
      'eth_signTypedData_v1',
      'BLIND_SIGNATURE',
      'The typed data has version 1, which names no site or contract: the signature could be used anywhere.',
    ],
    ...['wallet_signAuthorization', 'eth_signAuthorization'].map((method) => [
      method,
      'ACCOUNT_DELEGATION',
      'The request would let other code act as your account (EIP-7702).',
    ]),
  ])('%s', (method = '', code, title) => {
    expect(request(method, [])).toMatchObject({ verdict: 'refuse', codes: [code], title })
  })
})

describe('a call in typed data', () => {
  const domain = { chainId: 8453, verifyingContract: other }
  const typed = (primaryType: string, fields: string, message: Json) =>
    request('eth_signTypedData_v4', [
      wallet,
      {
        domain,
        types: {
          EIP712Domain: members('uint256 chainId,address verifyingContract'),
          [primaryType]: members(fields),
        },
        primaryType,
        message,
      },
    ])
  const safe = 'address to,uint256 value,bytes data,uint8 operation'
  test('moves the assets of the account that executes the call', () => {
    const paying = { to: stranger, value: '1', data: '0x', operation: 0 }
    expect(typed('SafeTx', safe, paying).moves).toMatchObject([{ from: other, to: stranger, amount: 1n }])
    const forward = 'address from,address to,uint256 value,bytes data'
    expect(typed('ForwardRequest', forward, { ...paying, from: stranger }).moves).toMatchObject([
      { from: stranger },
    ])
    expect(typed('Call', 'address to,uint256 value,bytes data', paying).moves).toMatchObject([
      { from: wallet },
    ])
  })
  test('is not described if its arguments are not encoded canonically', () => {
    const data = call('a9059cbb', stranger, 5n).slice(0, -2)
    const { lines, codes } = typed('SafeTx', safe, { to: other, value: '0', data, operation: 0 })
    expect(lines.join()).not.toContain('Call: ')
    expect(codes).toEqual(['UNKNOWN_TYPED_DATA'])
  })
})
