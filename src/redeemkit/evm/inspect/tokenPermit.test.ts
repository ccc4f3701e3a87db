import { describe, expect, test } from 'vitest'
import type { InspectContext } from '../creditPermit/inspectOptions.ts'
import { members, shownInspection } from './shownInspection.fixture.ts'

const wallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const stranger = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const other = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const usdc = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
const seconds = 1_795_176_000
const end = seconds + 600
const endText = '2026-11-20 12:10:00 UTC (in 10 minutes)'
const context: InspectContext = { address: wallet, chainId: 8453, now: () => seconds * 1000 }
const uint256Max = 2n ** 256n - 1n
const century = 3_153_600_000

type Json = { [name: string]: unknown }
type Types = { [name: string]: string }
const typedData = (primaryType: string, types: Types, message: Json, contract = permit2) => ({
  domain: { chainId: 8453, verifyingContract: contract },
  types: {
    EIP712Domain: members('uint256 chainId,address verifyingContract'),
    ...Object.fromEntries(Object.entries(types).map(([name, fields]) => [name, members(fields)])),
  },
  primaryType,
  message,
})
const ask = (data: unknown, more: InspectContext = context) =>
  shownInspection({ method: 'eth_signTypedData_v4', params: [wallet, data] }, more)

const details = 'address token,uint160 amount,uint48 expiration,uint48 nonce'
const permissions = 'address token,uint256 amount'
const singleTypes = {
  PermitSingle: 'PermitDetails details,address spender,uint256 sigDeadline',
  PermitDetails: details,
}
const batchTypes = {
  PermitBatch: 'PermitDetails[] details,address spender,uint256 sigDeadline',
  PermitDetails: details,
}
const takeTypes = {
  PermitTransferFrom: 'TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline',
  TokenPermissions: permissions,
}
const takeManyTypes = {
  PermitBatchTransferFrom: 'TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline',
  TokenPermissions: permissions,
}
const detail = (token: string, amount: unknown = '5', expiration: unknown = end) => ({
  token,
  amount,
  expiration,
  nonce: '0',
})
const single = (given: Json, contract?: string) =>
  typedData('PermitSingle', singleTypes, { details: given, spender: stranger, sigDeadline: end }, contract)
const batch = (given: Json[]) =>
  typedData('PermitBatch', batchTypes, { details: given, spender: stranger, sigDeadline: end })
const take = (deadline: unknown, contract?: string) =>
  typedData(
    'PermitTransferFrom',
    takeTypes,
    { permitted: { token: usdc, amount: '4000000' }, spender: stranger, nonce: '1', deadline },
    contract,
  )
const erc2612 = 'address owner,address spender,uint256 value,uint256 nonce,uint256 deadline'
const ownPermit = (message: Json = {}, token = usdc) =>
  typedData(
    'Permit',
    { Permit: erc2612 },
    { owner: wallet, spender: stranger, value: '4000000', nonce: '0', deadline: end, ...message },
    token,
  )
const daiLayout = 'address holder,address spender,uint256 nonce,uint256 expiry,bool allowed'
const dai = (message: Json) =>
  typedData(
    'Permit',
    { Permit: daiLayout },
    { holder: wallet, spender: stranger, nonce: '0', expiry: end, allowed: true, ...message },
    other,
  )

describe('inspect describes a token permit', () => {
  test('of ERC-2612', () => {
    expect(ask(ownPermit())).toMatchObject({
      kind: 'tokenPermit',
      codes: ['DELEGATE_APPROVAL'],
      title: 'Lets 0x7099…79C8 spend up to 4.00 USDC, with no time limit.',
      lines: [
        `Contract: ${usdc}`,
        'Chain: Base',
        `Spender: ${stranger}`,
        'Amount, at most: 4.00 USDC',
        'Valid until: no time limit',
        `Submit by: ${endText}`,
      ],
      grants: [
        { asset: usdc, amount: 4_000_000n, decimals: 6, from: wallet, to: stranger, until: undefined },
      ],
      details: { message: { owner: wallet, value: '4000000' } },
    })
  })
  test.each([
    ['Permit', 'address owner,address spender,uint256 amount,uint256 nonce,uint256 deadline'],
    ['Permit', 'address owner,address spender,uint256 rawAmount,uint256 nonce,uint256 expiry'],
    ['Permit', 'address owner,address spender,uint value,uint deadline,uint nonce'],
    ['ERC20Permit', erc2612],
  ])('of ERC-2612 with different names or order: %s(%s)', (type, fields) => {
    const amounts = { value: uint256Max, amount: uint256Max, rawAmount: uint256Max }
    const message = { owner: wallet, spender: stranger, nonce: '0', deadline: end, expiry: end }
    const asked = (values: Json) => ask(typedData(type, { [type]: fields }, { ...message, ...values }, usdc))
    expect(
      asked(Object.fromEntries(Object.entries(amounts).map(([name, one]) => [name, `${one}`]))),
    ).toMatchObject({
      kind: 'tokenPermit',
      verdict: 'refuse',
      title: 'Lets 0x7099…79C8 spend all of your USDC, with no time limit.',
      grants: [{ asset: usdc, amount: 'unlimited', from: wallet, to: stranger }],
    })
    const { title, lines } = asked({ value: '4000000', amount: '4000000', rawAmount: '4000000' })
    expect(title).toBe('Lets 0x7099…79C8 spend up to 4.00 USDC, with no time limit.')
    expect(lines).toContain(`Submit by: ${endText}`)
  })
  test('of DAI, which allows everything or revokes everything', () => {
    expect(ask(dai({}))).toMatchObject({
      codes: ['UNLIMITED_APPROVAL'],
      grants: [{ asset: other, amount: 'unlimited', decimals: undefined, from: wallet, to: stranger }],
    })
    expect(ask(dai({})).lines).toContain(`Submit by: ${endText}`)
    expect(ask(dai({ expiry: '0' })).lines).toContain('Submit by: no time limit')
    expect(ask(dai({ allowed: false })).title).toBe(
      'Revokes the right of 0x7099…79C8 to spend your tokens of the contract 0x5FbD…0aa3.',
    )
  })
  test('of Permit2, for one token', () => {
    expect(ask(single(detail(other)))).toMatchObject({
      codes: ['DELEGATE_APPROVAL'],
      title: `Lets 0x7099…79C8 spend up to 5 raw units of the token 0x5FbD…0aa3 until ${endText}.`,
      lines: [
        `Contract: Permit2 (${permit2})`,
        'Chain: Base',
        `Spender: ${stranger}`,
        `Token: ${other}`,
        'Amount, at most: 5 raw units of the token 0x5FbD…0aa3',
        `Valid until: ${endText}`,
        `Submit by: ${endText}`,
      ],
      grants: [
        { asset: other, amount: 5n, decimals: undefined, from: wallet, to: stranger, until: BigInt(end) },
      ],
    })
    expect(ask(single(detail(other)), { now: () => 0 }).grants).toMatchObject([{ from: 'signer' }])
  })
  test('of Permit2 with expiration 0, which any block until the deadline can use', () => {
    expect(ask(single(detail(other, '5', 0)))).toMatchObject({
      title: `Lets 0x7099…79C8 spend up to 5 raw units of the token 0x5FbD…0aa3 until ${endText}.`,
      grants: [{ until: BigInt(end) }],
    })
  })
  test('of Permit2 for several tokens; the title has the latest expiry', () => {
    expect(ask(batch([detail(usdc, '4000000', end), detail(other, '5', end - 60)]))).toMatchObject({
      title: `Lets 0x7099…79C8 spend up to 4.00 USDC and 5 raw units of the token 0x5FbD…0aa3 until ${endText}.`,
      lines: [
        `Contract: Permit2 (${permit2})`,
        'Chain: Base',
        `Spender: ${stranger}`,
        `Token: ${usdc}`,
        'Amount, at most: 4.00 USDC',
        `Token: ${other}`,
        'Amount, at most: 5 raw units of the token 0x5FbD…0aa3',
        `Valid until: ${endText}`,
        `Submit by: ${endText}`,
      ],
    })
  })
  test('of Permit2 for a single transfer', () => {
    expect(ask(take(end))).toMatchObject({
      title: `Lets 0x7099…79C8 take up to 4.00 USDC once, until ${endText}.`,
      grants: [{ asset: usdc, amount: 4_000_000n, until: BigInt(end) }],
    })
    expect(ask(take(uint256Max.toString()))).toMatchObject({
      title: 'Lets 0x7099…79C8 take up to 4.00 USDC once, with no time limit.',
      grants: [{ until: undefined }],
    })
    const many = typedData('PermitBatchTransferFrom', takeManyTypes, {
      permitted: [{ token: usdc, amount: '4000000' }],
      spender: stranger,
      nonce: '1',
      deadline: end,
    })
    expect(ask(many).title).toBe(`Lets 0x7099…79C8 take up to 4.00 USDC once, until ${endText}.`)
  })
})

test('an expiry more than a century away counts as no expiry', () => {
  const grants = (expiration: number) => ask(single(detail(other, '5', expiration))).grants
  expect(grants(seconds + century)).toMatchObject([{ until: BigInt(seconds + century) }])
  expect(grants(seconds + century + 1)).toMatchObject([{ until: undefined }])
})

test('a permit is still valid at its deadline, and expired a second later', () => {
  expect(ask(ownPermit({ deadline: seconds })).codes).toEqual(['DELEGATE_APPROVAL'])
  expect(ask(ownPermit({ deadline: seconds - 1 })).codes).toEqual(['DELEGATE_APPROVAL', 'EXPIRED'])
})

test('a permit revokes approvals only if all its amounts are 0', () => {
  const none = batch([detail(usdc, '0'), detail(other, '0')])
  expect(ask(none)).toMatchObject({
    codes: ['ZERO_AMOUNT'],
    title: 'Revokes the right of 0x7099…79C8 to spend your tokens of the contract 0x8335…2913.',
  })
  expect(ask(batch([detail(usdc, '0'), detail(other, '5')])).codes).toEqual(['DELEGATE_APPROVAL'])
  expect(ask(batch([detail(usdc, '0')])).title).toBe('Revokes the right of 0x7099…79C8 to spend your USDC.')
})

test('a Permit2 message for another contract is reported; the case of the address does not matter', () => {
  const given = detail(other)
  expect(ask(single(given, permit2.toLowerCase())).codes).toEqual(['DELEGATE_APPROVAL'])
  expect(ask(single(given, other)).codes).toEqual(['DELEGATE_APPROVAL', 'UNPINNED_CONTRACT'])
  expect(ask(take(end, other)).codes).toEqual(['DELEGATE_APPROVAL', 'UNPINNED_CONTRACT'])
  expect(ask(ownPermit({}, other)).codes).toEqual(['DELEGATE_APPROVAL'])
})

test('a permit for more than 50 tokens is refused', () => {
  expect(ask(batch(Array(50).fill(detail(other)))).kind).toBe('tokenPermit')
  expect(ask(batch(Array(51).fill(detail(other)))).title).toBe(
    'The permit is for 51 tokens, more than a user can review.',
  )
})

test('an approval counts as unlimited from a billion USDC, or from 2^96 - 1 raw units of another token', () => {
  const amount = (token: string, value: bigint) => ask(ownPermit({ value: `${value}` }, token)).codes
  const absurd = 1_000_000_000_000_000n
  expect(amount(usdc, absurd - 1n)).toEqual(['DELEGATE_APPROVAL'])
  expect(amount(usdc, absurd)).toEqual(['UNLIMITED_APPROVAL'])
  expect(amount(other, 2n ** 96n - 2n)).toEqual(['DELEGATE_APPROVAL'])
  expect(amount(other, 2n ** 96n - 1n)).toEqual(['UNLIMITED_APPROVAL'])
})

test('only the chain’s USDC and a pinned test token have known decimals', () => {
  const pinned = (chainId: number | undefined) => [
    { chainId, creditsContract: stranger, creditSeed: 'x', usdc: { address: other, name: 'Test' } },
  ]
  const decimals = (given: unknown) =>
    ask(ownPermit({}, other), { ...context, ...(given === undefined ? {} : { pinned: given as never }) })
      .grants[0]?.decimals
  expect(decimals(undefined)).toBeUndefined()
  expect(decimals(pinned(8453))).toBe(6)
  expect(decimals(pinned(1))).toBeUndefined()
  expect(decimals(pinned(undefined))).toBe(6) // callers without TypeScript can omit it
})

describe('the value of a permit is read as wallets read numbers:', () => {
  const amount = (value: unknown) => ask(ownPermit({ value }))
  test.each([4_000_000n, 4_000_000, '4000000', '0x3d0900', `0x${'3d0900'.padStart(64, '0')}`])(
    '%s is 4.00 USDC',
    (value) => {
      expect(amount(value).grants).toMatchObject([{ amount: 4_000_000n }])
    },
  )
  test.each([
    -1n,
    uint256Max + 1n,
    -1,
    1.5,
    '',
    '0x',
    `0x${'0'.repeat(65)}`,
    '4 ',
    ' 0x4',
    ['0x4'],
    null,
    true,
  ])('%o is not a number', (value) => {
    expect(amount(value)).toMatchObject({ verdict: 'refuse', codes: ['MALFORMED'] })
  })
  test.each([7, null, `${stranger}00`])('a spender of %s is not an address', (spender) => {
    const { title } = ask(ownPermit({ spender }))
    expect(title).toMatch(/^Malformed request.*\bspender\b.* is not (?:written as )?an address\.$/)
  })
})

describe('typed data that differs from a permit in one detail is of unknown type, and its fields are shown:', () => {
  const message = { details: detail(other), spender: stranger, sigDeadline: end }
  const taking = { permitted: { token: usdc, amount: '1' }, spender: stranger, nonce: '1', deadline: end }
  const renamed = (name: string, from: Types, key: string) => ({ ...from, [name]: from[key] ?? '' })
  test.each<[string, ReturnType<typeof typedData>]>([
    [
      'a longer name',
      typedData('PermitSingleX', renamed('PermitSingleX', singleTypes, 'PermitSingle'), message),
    ],
    [
      'a prefix',
      typedData('MyPermitSingle', renamed('MyPermitSingle', singleTypes, 'PermitSingle'), message),
    ],
    [
      'an extra field',
      typedData(
        'PermitSingle',
        { ...singleTypes, PermitSingle: `${singleTypes.PermitSingle},uint8 more` },
        { ...message, more: 1 },
      ),
    ],
    [
      'an extra field of its details',
      typedData(
        'PermitSingle',
        { ...singleTypes, PermitDetails: `${details},uint8 more` },
        { ...message, details: { ...detail(other), more: 1 } },
      ),
    ],
    [
      'an extra field of a transfer',
      typedData(
        'PermitTransferFrom',
        { ...takeTypes, PermitTransferFrom: `${takeTypes.PermitTransferFrom},uint8 more` },
        { ...taking, more: 1 },
      ),
    ],
    [
      'an extra field of its permissions',
      typedData(
        'PermitTransferFrom',
        { ...takeTypes, TokenPermissions: `${permissions},uint8 more` },
        { ...taking, permitted: { token: usdc, amount: '1', more: 1 } },
      ),
    ],
    [
      'a witness that is not declared',
      typedData(
        'PermitWitnessTransferFrom',
        renamed('PermitWitnessTransferFrom', takeTypes, 'PermitTransferFrom'),
        taking,
      ),
    ],
    [
      'a longer name of a transfer',
      typedData(
        'PermitTransferFromX',
        renamed('PermitTransferFromX', takeTypes, 'PermitTransferFrom'),
        taking,
      ),
    ],
    [
      'a prefix of a transfer',
      typedData(
        'MyPermitTransferFrom',
        renamed('MyPermitTransferFrom', takeTypes, 'PermitTransferFrom'),
        taking,
      ),
    ],
    [
      'the layout of ERC-4494 under another name',
      typedData(
        'Allow',
        { Allow: 'address spender,uint256 tokenId,uint256 nonce,uint256 deadline' },
        { spender: stranger, tokenId: '1', nonce: '0', deadline: end },
      ),
    ],
  ])('%s', (_, data) => {
    const { kind, codes, grants, lines } = ask(data)
    expect({ kind, codes, grants }).toEqual({ kind: 'unknown', codes: ['UNKNOWN_TYPED_DATA'], grants: [] })
    expect(lines.join()).toContain(`spender: ${stranger}`)
  })
  test('a permit whose domain has no contract', () => {
    const { types, ...data } = ownPermit()
    const unnamed = { ...types, EIP712Domain: members('uint256 chainId') }
    expect(ask({ ...data, types: unnamed })).toMatchObject({ kind: 'unknown', codes: ['UNKNOWN_TYPED_DATA'] })
    const nfts = typedData(
      'PermitForAll',
      { PermitForAll: 'address operator,bool approved,uint256 nonce,uint256 deadline' },
      { operator: stranger, approved: true, nonce: '0', deadline: end },
    )
    expect(ask({ ...nfts, types: { ...nfts.types, EIP712Domain: members('uint256 chainId') } }).kind).toBe(
      'unknown',
    )
  })
})

describe('inspect describes a permit of NFTs', () => {
  const one = (deadline: number) =>
    typedData(
      'Permit',
      { Permit: 'address spender,uint256 tokenId,uint256 nonce,uint256 deadline' },
      { spender: stranger, tokenId: '7', nonce: '0', deadline },
      other,
    )
  const all = (approved: boolean) =>
    typedData(
      'PermitForAll',
      { PermitForAll: 'address operator,bool approved,uint256 nonce,uint256 deadline' },
      { operator: stranger, approved, nonce: '0', deadline: end },
      other,
    )
  test('for one NFT, until its deadline', () => {
    expect(ask(one(end))).toMatchObject({
      lines: [`Contract: ${other}`, 'Chain: Base', `Spender: ${stranger}`, 'NFT: 7', `Submit by: ${endText}`],
      grants: [
        { asset: other, amount: 1n, decimals: undefined, from: wallet, to: stranger, until: undefined },
      ],
    })
    expect(ask(one(seconds)).codes).toEqual(['DELEGATE_APPROVAL'])
    expect(ask(one(seconds - 1)).codes).toEqual(['DELEGATE_APPROVAL', 'EXPIRED'])
    expect(ask(one(end), { now: () => 0 }).grants).toMatchObject([{ from: 'signer' }])
  })
  test('for all NFTs, or a revocation', () => {
    expect(ask(all(true)).grants).toMatchObject([{ asset: other, amount: 'unlimited', to: stranger }])
    expect(ask(all(false)).grants).toEqual([])
  })
})
