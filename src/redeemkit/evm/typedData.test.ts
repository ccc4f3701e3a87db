import fc from 'fast-check'
import { encodeAbiParameters, keccak256 } from 'viem'
import { describe, expect, inject, test } from 'vitest'
import { duplicateKey, layoutProblem, readTypedData } from './readTypedData.ts'
import { domainMembers, hashAbiEncoded } from './typedData.ts'

test('duplicateKey finds no repeated key in JSON that JSON.stringify wrote', () => {
  fc.assert(
    fc.property(fc.json(), (text) => duplicateKey(JSON.stringify(JSON.parse(text))) === undefined),
    { numRuns: inject('generatedInputs') },
  )
})

test.each([
  ['{"a":1,"a":1}', 'a'],
  ['{"a":1,"\\u0061":2}', 'a'],
  ['[{"b":{"a":1,"c":[],"a":{}}}]', 'a'],
  ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ['{"a\\"":1,"b":"\\\\","a\\"":2}', 'a"'],
])('%s repeats %s', (text, key) => {
  expect(duplicateKey(text)).toBe(key)
})

test.each([
  '{"a":{"a":1},"b":{"a":1}}',
  '[{"a":1},{"a":1}]',
  '{"a":"a","b":"\\"a\\":"}',
  '{"a":"{\\"a\\":1,\\"a\\":2}"}',
  '"a"',
])('%s repeats no key', (text) => {
  expect(duplicateKey(text)).toBeUndefined()
})

const pay = [
  { name: 'to', type: 'address' },
  { name: 'amount', type: 'uint256' },
] as const
const layouts = { Pay: pay }
const target = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const request = (change: object = {}, types: object = {}) => ({
  domain: { name: 'USDC', version: '2', chainId: 8453, verifyingContract: target },
  types: { EIP712Domain: domainMembers, Pay: pay, ...types },
  primaryType: 'Pay',
  message: { to: target, amount: '7' },
  ...change,
})

describe('typed data with a supported layout', () => {
  test('is read from an object, and from its text', () => {
    const { domain, message } = request()
    const read = { domain, primaryType: 'Pay', message }
    expect(readTypedData(request(), layouts)).toEqual(read)
    expect(readTypedData(JSON.stringify(request()), layouts)).toEqual(read)
  })

  test('may have 0x-hex numbers of at most 32 bytes, if the caller allows it', () => {
    const most = `0x${'f'.repeat(64)}`
    const hex = { ...request().domain, chainId: '0x2105' }
    const read = (amount: string, options = { hex: true }) =>
      readTypedData(request({ domain: hex, message: { to: '0x12', amount } }), layouts, options)
    expect(read('0x7')).toMatchObject({ domain: { chainId: 8453 }, message: { to: '0x12', amount: '7' } })
    expect(read(most).message.amount).toBe(BigInt(most).toString())
    for (const amount of [`${most}0`, '0x', 'x0x7', '0x7g']) expect(read(amount).message.amount).toBe(amount)
    expect(() => read('0x7', { hex: false })).toThrow('chainId')
  })
})

const named = (...names: string[]) => names.map((name) => pay.find((one) => one.name === name))
describe('an unsupported layout is refused with a description of the difference:', () => {
  test.each<[string, object, string[]]>([
    [
      'it does not declare its domain (`EIP712Domain`)',
      { types: { Pay: pay } },
      ['address to', 'uint256 amount'],
    ],
    ['it does not declare its domain (`EIP712Domain`)', { types: null }, ['to', 'amount']],
    ['it does not declare its domain (`EIP712Domain`)', { types: 'x' }, ['to', 'amount']],
    ['it does not declare its domain (`EIP712Domain`)', { types: undefined, message: null }, []],
    ['it has an extra type (`Other`)', request({}, { Other: [] }), ['address to', 'uint256 amount']],
    [
      'its domain has the wrong fields',
      request({}, { EIP712Domain: domainMembers.slice(1) }),
      ['address to', 'uint256 amount'],
    ],
    ['its field `amount` is missing', request({}, { Pay: named('to') }), ['address to']],
    ['its field `to` is missing', request({}, { Pay: 'x' }), ['to', 'amount']],
    [
      'it has an extra field (`fee?`)',
      request({}, { Pay: [...pay, { name: 'fee\n', type: 'uint8' }] }),
      ['address to', 'uint256 amount', 'uint8 fee?'],
    ],
    [
      'it has an extra field (`?`)',
      request({}, { Pay: [...pay, null] }),
      ['address to', 'uint256 amount', '?'],
    ],
    [
      'its field `amount` has the wrong type',
      request({}, { Pay: [pay[0], { name: 'amount', type: 'uint128' }] }),
      ['address to', 'uint128 amount'],
    ],
    [
      'its fields are in the wrong order',
      request({}, { Pay: named('amount', 'to') }),
      ['uint256 amount', 'address to'],
    ],
    [
      'its fields are in the wrong order',
      request({}, { Pay: [{ ...pay[0], more: 1 }, pay[1]] }),
      ['address to', 'uint256 amount'],
    ],
  ])('%s: %j', (text, change, fields) => {
    const record = request(change)
    expect(layoutProblem(record, 'Pay', pay)).toBe(text)
    expect(() => readTypedData(record, layouts)).toThrow(
      expect.objectContaining({
        name: 'UnknownTypedDataError',
        fields,
        message: expect.stringContaining(`: ${fields.join(', ') || 'no fields'}.`),
      }),
    )
  })

  test.each([7, undefined, 'toString', 'Other', 'EIP712Domain'])('primary type %j', (primaryType) => {
    expect(() => readTypedData(request({ primaryType }), layouts)).toThrow(
      expect.objectContaining({ name: 'UnknownTypedDataError' }),
    )
  })

  test('the error shows at most 32 field names, each cut to 40 characters', () => {
    const many = Array.from({ length: 40 }, () => ({ name: 'n'.repeat(50), type: 'uint8' }))
    expect(() => readTypedData(request({}, { Pay: many }), layouts)).toThrow(
      expect.objectContaining({ fields: Array.from({ length: 32 }, () => `uint8 ${'n'.repeat(40)}`) }),
    )
  })
})

test('a long string does not overflow the stack of the regular expression', () => {
  expect(duplicateKey(`{"a":"${'x\\\\'.repeat(500_000)}"${',"b":[{}]'.repeat(2)}}`)).toBe('b')
})

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const bytes32 = `0x${'ab'.repeat(32)}`
const most = 2n ** 256n - 1n

test('hashAbiEncoded gives the same hash as another library', () => {
  const types = ['address', 'bytes32', 'bool', 'bool', 'uint8', 'uint8', 'uint256', 'uint256'] as const
  const values = [address, bytes32, true, false, 255, 0n, most, 7]
  const encoded = encodeAbiParameters(
    types.map((type) => ({ type })),
    values as never,
  ) // one value for each type
  expect(hashAbiEncoded(types.join(' '), values)).toBe(keccak256(encoded))
})

test.each<[string, unknown]>([
  ['bool', 1],
  ['bool', undefined],
  ['address', address.slice(0, -2)],
  ['address', `${address}00`],
  ['address', `1x${address.slice(2)}`],
  ['address', BigInt(address)],
  ['bytes32', address],
  ['bytes32', `0x${'g'.repeat(64)}`],
  ['bytes32', `${bytes32.slice(0, -1)}\n`],
  ['bytes32', [...bytes32]],
  ['uint8', 256],
  ['uint8', -1],
  ['uint8', 1.5],
  ['uint8', '1'],
  ['uint256', most + 1n],
  ['uint256', -1n],
  ['uint256', 2 ** 53],
])('hashAbiEncoded refuses an invalid %s: %o', (type, value) => {
  expect(() => hashAbiEncoded(type, [value])).toThrow(`is not a value of the type ${type}`)
})
