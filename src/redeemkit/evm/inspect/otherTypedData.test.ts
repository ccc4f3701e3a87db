import { describe, expect, test } from 'vitest'
import type { InspectContext } from '../creditPermit/inspectOptions.ts'
import { inspect } from './inspect.ts'
import { members, shownInspection } from './shownInspection.fixture.ts'

const wallet = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const stranger = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const contract = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const context: InspectContext = { address: wallet, chainId: 8453 }

type Json = { [name: string]: unknown }
const eip712Domain = 'string name,uint256 chainId,address verifyingContract'
const domain = { name: 'Post', chainId: 8453, verifyingContract: contract }

/** Creates typed data with the primary type `Mail`. `types` adds types, `more` replaces other fields of the request. */
const mail = (fields: string, message: Json, more: Json = {}, types: Json = {}) => ({
  domain,
  types: { EIP712Domain: members(eip712Domain), Mail: members(fields), ...types },
  primaryType: 'Mail',
  message,
  ...more,
})
const ask = (data: unknown, method = 'eth_signTypedData_v4') =>
  shownInspection({ method, params: [wallet, data] }, context)
/** Returns the lines for the fields of the message, without the first two lines (contract and chain). */
const shown = (...given: Parameters<typeof mail>) => {
  const { lines, kind } = ask(mail(...given))
  expect(kind).toBe('unknown')
  return lines.slice(2)
}
const malformed = (data: unknown) => {
  const { verdict, title, findings } = ask(data)
  expect([verdict, findings[0]?.code]).toEqual(['refuse', 'MALFORMED'])
  return title
}

describe('each signed field is shown on a line:', () => {
  test.each<[string, string, unknown, string[]]>([
    ['an address', 'address to', stranger.toLowerCase(), [`to: ${stranger}`]],
    ['20 bytes, unchanged', 'bytes20 to', stranger.toLowerCase(), [`to: ${stranger.toLowerCase()}`]],
    [
      'a string field with an address',
      'string to',
      stranger.toLowerCase(),
      [`to: "${stranger.toLowerCase()}"`],
    ],
    ['a number instead of text', 'string to', 7, ['to: 7']],
    ['null', 'address to', null, ['to: null']],
    ['an object instead of a number', 'uint256 to', { a: 1 }, ['to: {"a":1}']],
    ['a list of numbers', 'uint256[] to', [1, 2], ['to[0]: 1', 'to[1]: 2']],
    [
      'a list of a fixed length',
      'address[2] to',
      [stranger.toLowerCase(), wallet],
      [`to[0]: ${stranger}`, `to[1]: ${wallet}`],
    ],
    ['a list of lists', 'uint8[2][] to', [[1, 2]], ['to[0][0]: 1', 'to[0][1]: 2']],
    ['an empty list', 'uint256[] to', [], ['to: []']],
    ['text instead of a list', 'uint256[] to', 'x', ['to: x']],
    ['eight items', 'uint8[] to', Array(8).fill(0), Array.from({ length: 8 }, (_, at) => `to[${at}]: 0`)],
    ['more than eight items, on one line', 'uint8[] to', Array(9).fill(0), ['to: [0,0,0,0,0,0,0,0,0]']],
  ])('%s', (_, fields, to, lines) => {
    expect(shown(fields, { to })).toEqual(lines)
  })
  test('a field of an inner struct with its path, and a struct without fields', () => {
    const types = { Person: members('string name,address[] wallets'), Nothing: [] }
    const message = { to: [{ name: 'Bob', wallets: [stranger] }], none: { a: 1 }, text: 'x' }
    expect(shown('Person[] to,Nothing none,Person text', message, {}, types)).toEqual([
      'to[0].name: "Bob"',
      `to[0].wallets[0]: ${stranger}`,
      'none: {}',
      'text: x',
    ])
  })
  test('a field of a type that contains itself', () => {
    const types = { Reply: members('string text,Reply[] replies') }
    const message = { reply: { text: 'a', replies: [{ text: 'b', replies: [] }] } }
    expect(shown('Reply reply', message, {}, types)).toEqual([
      'reply.text: "a"',
      'reply.replies[0].text: "b"',
      'reply.replies[0].replies: []',
    ])
  })
  test('a field whose name is not a plain word, with its name quoted', () => {
    const long = 'a'.repeat(41)
    const names = ['from-', ' from', long, 'a'.repeat(40), '$from_1']
    const types = { Mail: names.map((name) => ({ name, type: 'uint8' })) }
    const message = Object.fromEntries(names.map((name) => [name, 1]))
    expect(shown('', message, {}, types)).toEqual([
      '"from-": 1',
      '" from": 1',
      `"${long}": 1`,
      `${'a'.repeat(40)}: 1`,
      '$from_1: 1',
    ])
  })
})

describe('the refusal names a malformed type:', () => {
  test.each<[string, unknown]>([
    ['a list of texts', ['address to']],
    ['a member without a name', [{ type: 'address' }]],
    ['a member without a type', [{ name: 'to' }]],
    ['a member whose name is a number', [{ name: 7, type: 'address' }]],
    ['text', 'address to'],
    ['an object', { to: 'address' }],
  ])('%s', (_, Mail) => {
    const title = malformed(mail('', { to: stranger }, {}, { Mail }))
    expect(title).toMatch(/the type `Mail` is not defined|types/)
  })
  test('a type that is used but not defined', () => {
    expect(malformed(mail('Person to', { to: {} }))).toBe(
      'Malformed request: the type `Person` is not defined.',
    )
    expect(malformed(mail('address to', {}))).toBe('Malformed request: the field `to` has no value.')
  })
  test('a redefined `string` type, which some wallets sign instead of the text', () => {
    expect(malformed(mail('string[] to', { to: ['x'] }, {}, { string: [] }))).toBe(
      'Malformed request: the type `string` is redefined.',
    )
  })
})

describe('the domain', () => {
  const lines = (types: Json, domain: unknown) => ask(mail('uint8 to', { to: 1 }, { domain }, types)).lines
  test('must be declared', () => {
    const { verdict, title, lines } = ask({
      types: { Mail: members('uint8 to') },
      primaryType: 'Mail',
      message: { to: 1 },
    })
    expect([verdict, title]).toEqual([
      'refuse',
      'The typed data does not declare its domain (`EIP712Domain`), so the signature could be used anywhere.',
    ])
    expect(lines).toEqual(['Chain: any chain, because the request does not name one', 'to: 1'])
  })
  test('is shown without undeclared fields, because wallets do not sign those', () => {
    expect(lines({ EIP712Domain: members('string name') }, domain)).toEqual([
      'Chain: any chain, because the request does not name one',
      'to: 1',
    ])
  })
  test.each([
    ['0x89', 'Polygon'],
    ['0x0', 'any chain, because the request does not name one'],
    [`0x${'f2'.repeat(32)}`, 'any chain, because the request does not name one'],
  ])('may name its chain in the salt, as bridged tokens of Polygon do: %s', (salt, chain) => {
    const types = { EIP712Domain: members('bytes32 salt') }
    const whole = `0x${salt.slice(2).padStart(64, '0')}`
    expect(lines(types, { salt: whole })[0]).toBe(`Chain: ${chain}`)
  })
  test('without a name is not named in the title', () => {
    const unnamed = mail('uint8 to', { to: 1 }, {}, { EIP712Domain: members('uint256 chainId') })
    expect(ask(unnamed).title).toBe('Signs data of the unknown type "Mail".')
    const numbered = mail('uint8 to', { to: 1 }, { domain: { ...domain, name: 7 } })
    expect(ask(numbered).title).toBe('Signs data of the unknown type "Mail".')
  })
  test('may have a contract that is not an address, unless it is declared as one', () => {
    const account = '11111111111111111111111111111111'
    const types = { EIP712Domain: members('string verifyingContract') }
    expect(lines(types, { verifyingContract: account })).toEqual([
      'Chain: any chain, because the request does not name one',
      'to: 1',
    ])
    const declared = { EIP712Domain: members('address verifyingContract') }
    for (const value of [account, `${contract}00`, `x${contract}`, [contract]]) {
      const domain = { verifyingContract: value }
      expect(malformed(mail('uint8 to', { to: 1 }, { domain }, declared))).toBe(
        'Malformed request: `verifyingContract` is not written as an address.',
      )
      expect(malformed(mail('address to', { to: value }))).toBe(
        'Malformed request: `to` is not written as an address.',
      )
    }
    // some wallets sign null as the zero address
    const { findings } = ask(mail('uint8 to', { to: 1 }, { domain: { verifyingContract: null } }, declared))
    expect(findings).toEqual([
      expect.objectContaining({ code: 'MALFORMED', field: 'domain.verifyingContract' }),
    ])
  })
  test('causes a finding that names the field, but does not repeat its text', () => {
    const name = `to\u202e${'x'.repeat(3000)}`
    expect(ask(mail(`address ${name}`, { [name]: 5 })).findings[0]?.field).toBe(
      'message.text of 3003 characters',
    )
  })
  test('must have a chain id of at most 2^53 - 1', () => {
    const on = (chainId: unknown) => mail('uint8 to', { to: 1 }, { domain: { ...domain, chainId } })
    expect(ask(on('9007199254740991')).lines).toContain('Chain: chain 9007199254740991')
    expect(malformed(on('9007199254740992'))).toContain('The network cannot be shown')
    expect(malformed(on(0))).toContain('The network cannot be shown')
  })
})

test.each(['eth_signTypedData_v3', 'eth_signTypedData'])(
  '%s is described like eth_signTypedData_v4',
  (method) => {
    const data = mail('uint8 to', { to: 1 })
    expect(ask(data, method)).toMatchObject({ title: ask(data).title, lines: ask(data).lines })
  },
)

test('a list of version 1 is refused in either order of the parameters', () => {
  const list = [{ type: 'string', name: 'text', value: 'hi' }]
  for (const params of [
    [list, wallet],
    [wallet, list],
    [JSON.stringify(list), wallet],
    [wallet, JSON.stringify(list)],
  ])
    for (const method of ['eth_signTypedData', 'eth_signTypedData_v1'])
      expect(inspect({ method, params }, context).verdict).toBe('refuse')
})

test('the verifying contract must not be the account that the request asks to sign, even if it is not the wallet’s account', () => {
  const params = [
    stranger,
    mail('uint8 to', { to: 1 }, { domain: { ...domain, verifyingContract: stranger } }),
  ]
  const { findings } = inspect({ method: 'eth_signTypedData_v4', params }, context)
  expect(findings.map(({ code }) => code)).toContain('OWN_ACCOUNT')
})

test('a domain without a message is refused', () => {
  const alone = {
    domain,
    types: { EIP712Domain: members(eip712Domain) },
    primaryType: 'EIP712Domain',
    message: {},
  }
  expect(ask(alone)).toMatchObject({
    verdict: 'refuse',
    title: 'The typed data has a domain, but no message.',
  })
})

describe('a type or field name that makes the encoded type ambiguous', () => {
  const transfer = 'address spender,uint256 nonce,uint256 deadline'
  test('cannot hide the real permission of a Permit2 transfer behind another one', () => {
    // Permit2 would hash this as a permit with a witness: the first permission is executed, the second is only the witness
    const real = 'permitted,address spender,uint256 nonce,uint256 deadline,bytes32 a'
    const usdc = { token: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', amount: '1000000000000' }
    const title = malformed({
      domain: {
        name: 'Permit2',
        chainId: 8453,
        verifyingContract: '0x000000000022D473030F116dDEE9F6B43aC78BA3',
      },
      primaryType: 'PermitWitnessTransferFrom',
      types: {
        EIP712Domain: members(eip712Domain),
        TokenPermissions: members('address token,uint256 amount'),
        PermitWitnessTransferFrom: [
          { type: 'TokenPermissions', name: real },
          ...members(transfer),
          { type: 'TokenPermissions', name: 'permitted' },
        ],
      },
      message: {
        [real]: usdc,
        spender: stranger,
        nonce: '1',
        deadline: '1999999999',
        permitted: { token: contract, amount: '1' },
      },
    })
    expect(title).toMatch(/^Malformed request: the type or field ".+" has a bracket or a comma/)
  })
  test.each([
    ['a type', `Permit(TokenPermissions permitted,${transfer},X`, 'uint8', 'to'],
    ['a type of one field', 'Bulk(Mail tree)Mail', 'uint8', 'to'],
    ["a field's type", 'Mail', 'uint8 a,uint8', 'to'],
    ['a field', 'Mail', 'uint8', 'a)Mail(uint8 to'],
  ])('is refused in %s', (_, primaryType, type, name) => {
    const types = { [primaryType]: [{ type, name }], 'uint8 a,uint8': [] }
    expect(malformed(mail('', { [name]: 1 }, { primaryType }, types))).toMatch(/has a bracket or a comma/)
  })
  test('is refused in the domain', () => {
    const types = { EIP712Domain: [{ type: 'string', name: 'name,uint256 chainId' }] }
    expect(malformed(mail('uint8 to', { to: 1 }, {}, types))).toMatch(/has a bracket or a comma/)
  })
  test('is accepted if it has spaces next to brackets and commas, as in a label for people', () => {
    const types = { Mail: [{ name: 'Price, net (ETH)', type: 'uint8' }] }
    expect(shown('', { 'Price, net (ETH)': 1 }, {}, types)).toEqual(['"Price, net (ETH)": 1'])
  })
})

test('a long type name is parsed quickly', () => {
  const primaryType = 'A'.repeat(100_000)
  const start = performance.now()
  ask(mail('', { to: 1 }, { primaryType }, { [primaryType]: members('uint8 to') }))
  expect(performance.now() - start).toBeLessThan(2_000)
})
