import { describe, expect, test } from 'vitest'
import {
  askNode,
  callContract,
  type EvmClient,
  hasCode,
  isClient,
  isOutOfGas,
  isRevert,
  toBigInt,
  toQuantity,
  toRecord,
  whyNoClient,
} from './client.ts'

const address = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const broken = new Proxy({}, { get: () => JSON.parse('{') })
const nodeOf = (answer: () => unknown): EvmClient => ({ request: async () => answer() })

test('a node client has a `request` function and is not a payments client', () => {
  expect(isClient({ request: () => {} })).toBe(true)
  for (const value of [undefined, null, 'http://localhost', {}, { request: 1 }, broken])
    expect(isClient(value)).toBe(false)
  expect(isClient({ request: () => {}, merchantId: 'shop' })).toBe(false)
})

// the text never contains the URL of a node, because it may contain an API key
test.each<[unknown, string]>([
  [undefined, 'is undefined, which has no "request" function.'],
  [null, 'is null, which has no "request" function.'],
  ['https://node.example/KEY', 'is the address of a node, as text, which has no "request" function.'],
  ['WSS://node.example/KEY', 'is the address of a node, as text, which has no "request" function.'],
  ['base, not http://', 'is text, which has no "request" function.'],
  [new URL('https://node.example/KEY'), 'is a URL, which has no "request" function.'],
  [{}, 'is an object, which has no "request" function.'],
  [7, 'is a number, which has no "request" function.'],
  [() => {}, 'is a function, which has no "request" function.'],
  [{ merchantId: 'shop' }, 'is a payments client, which cannot read a chain.'],
])('%o is not a node client', async (value, text) => {
  expect(whyNoClient(value)).toBe(text)
  await expect(askNode(value as EvmClient, 'eth_chainId', [], { field: 'node' })).rejects.toThrow(
    expect.objectContaining({ name: 'ChainReadError', field: 'node', shortMessage: `node ${text}` }),
  )
})

test('an object that throws when it is read is not a node client', () => {
  expect(whyNoClient(broken)).toBe('is an object, which has no "request" function.')
})

describe('from a node’s error,', () => {
  const nested = (depth: number): unknown =>
    depth === 0 ? { code: 3 } : { message: 'failed', cause: nested(depth - 1) }
  test.each<[string, unknown, boolean]>([
    ['recognized by the error’s code', { code: 3 }, true],
    ['recognized by the error’s message', { message: 'execution reverted: no' }, true],
    ['recognized by the error’s details', { message: 'failed', details: 'Out Of Gas' }, true],
    [
      'recognized by the error’s cause',
      { message: 'failed', cause: new Error('invalid opcode: 0xfe') },
      true,
    ],
    ['recognized by the seventh nested cause', nested(7), true],
    ['not recognized by the eighth nested cause', nested(8), false],
    ['recognized for a stack underflow', new Error('stack underflow (0 <=> 1)'), true],
    ['recognized for a stack overflow', new Error('stack overflow'), true],
    ['not recognized for another code', { code: -32000 }, false],
    ['not recognized for another message', new Error('socket hang up'), false],
    ['not recognized for text', 'execution reverted', false],
    ['not recognized by a message that is not text', { message: { toString: () => 'reverted' } }, false],
    ['not recognized for undefined', undefined, false],
    ['not recognized by an error that throws when it is read', broken, false],
  ])('a revert is %s', (_, error, expected) => {
    expect(isRevert(error)).toBe(expected)
  })
  test('running out of gas is recognized by the error’s text, never by its code', () => {
    expect([isOutOfGas(new Error('out of gas')), isOutOfGas({ code: 3 })]).toEqual([true, false])
    expect(isOutOfGas({ code: undefined, message: 'reverted' })).toBe(false)
  })
})

describe('the response of a node', () => {
  test('to eth_call is bytes, and the call is made at the given block', async () => {
    const asked: unknown[] = []
    const node: EvmClient = {
      request: async (request) => {
        asked.push(request)
        return '0x12'
      },
    }
    expect(await callContract(node, { to: address, data: '0x' })).toBe('0x12')
    expect(await callContract(node, { to: address, data: '0x' }, { blockNumber: 255n })).toBe('0x12')
    expect(asked).toEqual([
      { method: 'eth_call', params: [{ to: address, data: '0x' }, 'latest'] },
      { method: 'eth_call', params: [{ to: address, data: '0x' }, '0xff'] },
    ])
    expect([
      await hasCode(node, address),
      await hasCode(
        nodeOf(() => '0x'),
        address,
      ),
    ]).toEqual([true, false])
  })
  test('to a reverted call is undefined; a node that does not respond is an error', async () => {
    const call = (answer: () => unknown) => callContract(nodeOf(answer), { to: address, data: '0x' })
    expect(await call(() => Promise.reject({ code: 3 }))).toBeUndefined()
    await expect(call(() => Promise.reject(new Error('offline')))).rejects.toThrow(
      'did not respond to eth_call',
    )
    for (const answer of [null, 7, '0x1', '12', ' 0x12', '0x12 ', {}])
      await expect(call(() => answer)).rejects.toThrow(
        expect.objectContaining({ name: 'ChainReadError', field: 'client' }),
      )
    await expect(
      hasCode(
        nodeOf(() => undefined),
        address,
      ),
    ).rejects.toThrow('eth_getCode')
  })
  test('must be a number or an object where the caller expects one', () => {
    expect([toBigInt('0x0', 'x'), toBigInt('0xfF', 'x'), toQuantity(255n)]).toEqual([0n, 255n, '0xff'])
    for (const value of ['0x', '1', `0x${'0'.repeat(65)}`, 'a0x1', '0x1g', 1, ['0x1'], null])
      expect(() => toBigInt(value, 'x')).toThrow(
        expect.objectContaining({ name: 'ChainReadError', field: 'x' }),
      )
    expect(toRecord({ a: 1 }, 'x')).toEqual({ a: 1 })
    for (const value of [null, 'a', 7, undefined])
      expect(() => toRecord(value, 'x')).toThrow(
        expect.objectContaining({ name: 'ChainReadError', field: 'x' }),
      )
  })
})
