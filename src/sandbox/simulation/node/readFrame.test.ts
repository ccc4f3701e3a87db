import { describe, expect, test } from 'vitest'
import { lastCheck } from './lastCheck.ts'
import { readFrame } from './traceCall.ts'

const alice = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const bob = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc'
const call = { type: 'CALL', from: alice, to: bob, gas: '0x5208', gasUsed: '0x0', input: '0x' }
const read = (answer: unknown) => readFrame(answer, 'debug_traceCall')

describe('readFrame', () => {
  test('reads a call with its logs and inner calls', () => {
    const log = { address: bob, topics: [`0x${'01'.repeat(32)}`], data: '0x02', position: '0x0' }
    const frame = read({
      ...call,
      value: '0x1',
      logs: [log],
      calls: [{ ...call, type: 'STATICCALL', output: '0x03' }],
    })
    expect(frame).toMatchObject({
      from: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      value: 1n,
      gas: 21_000n,
      failure: undefined,
      logs: [{ data: '0x02' }],
      calls: [{ type: 'STATICCALL', output: '0x03', value: 0n }],
    })
  })

  test.each([
    // messages of geth, and of revm in Anvil and Reth
    ['execution reverted', 'it reverted'],
    ['out of gas', 'it ran out of gas'],
    ['OutOfGas', 'it ran out of gas'],
    ['gas uint64 overflow', 'it ran out of gas'],
    ['invalid opcode: INVALID', 'it hit an invalid opcode'],
    ['max call depth exceeded', 'it exceeded the call depth of 1024'],
    ['insufficient balance for transfer', 'it sent more native coin than it has'],
    ['write protection', 'it tried to change state in a read-only call'],
    ['something\nnew', 'it failed: "something\\nnew"'],
  ])('translates the failure %j', (error, failure) => {
    expect(read({ ...call, error }).failure).toBe(failure)
  })

  test('keeps only the beginning of data that is megabytes long', () => {
    expect(read({ ...call, output: `0x${'00'.repeat(100_000)}` }).output).toHaveLength(2 + 2 * 32_768)
  })

  test('reads calls nested a thousand deep', () => {
    let frame: object = call
    for (let depth = 0; depth < 1_000; depth++) frame = { ...call, calls: [frame] }
    expect(read(frame).calls).toHaveLength(1)
  })

  test.each([
    ['nothing', null],
    ['the output of another tracer', { structLogs: [] }],
    ['an unknown type of call', { ...call, type: 'TELEPORT' }],
    ['an invalid address', { ...call, to: '0x12' }],
    ['gas that is not hex', { ...call, gas: 21_000 }],
    ['calls that are not a list', { ...call, calls: {} }],
    ['a log with topics that are not hex', { ...call, logs: [{ address: bob, topics: [1], data: '0x' }] }],
    ['an error that is not text', { ...call, error: 1 }],
  ])('rejects %s', (_, answer) => {
    expect(() => read(answer)).toThrow(expect.objectContaining({ name: 'ChainReadError' }))
  })
})

describe('lastCheck', () => {
  const account = '3c44cdddb6a900fa2b585dd299e03d12fa4293bc'
  const call = { from: '0x', to: '0x', data: '0x', gas: 1n, blockNumber: 1n, overrides: {} } as const
  const checked = (answer: unknown) => lastCheck({ request: async () => answer }, { call, depth: 1 })
  const compare = (...words: string[]) => ({ op: 0x10, words })

  test.each<[string, object[], string | undefined]>([
    ['two numbers', [compare('a', '14')], 'after it compared 10 with 20'],
    ['the last of two values', [compare('1', '2'), compare('a', '14')], 'after it compared 10 with 20'],
    [
      'an address and a hash',
      [compare(account, `ab${'0'.repeat(62)}`)],
      'after it compared 0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC with 0xab000000…',
    ],
    [
      'the time',
      [{ op: 0x42, words: ['a'] }, compare('a', '14')],
      'after it compared 10, the time of the block, with 20',
    ],
    [
      'the size of the call data',
      [{ op: 0x36, words: ['24'] }, compare('20', '40')],
      'because the call data is too short for its arguments',
    ],
    ['storage', [{ op: 0x54, words: ['7', '0'] }], 'after it read 0 from its storage'],
    [
      'storage of an account',
      [
        { op: 0x20, words: [], data: `0x${account.padStart(64, '0')}${'3'.padStart(64, '0')}` },
        { op: 0x54, words: ['7', '1'] },
      ],
      'after it read 1 from its storage, stored for 0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    ],
    ['nothing', [{ op: 0x20, words: [], data: '0x' }], undefined],
    ['values that are not numbers', [compare('x', 'y')], undefined],
  ])('describes the last check of a contract: %s', async (_, steps, text) => {
    expect(await checked({ 2: steps })).toBe(text)
  })

  test('ignores the steps of calls at another depth', async () => {
    expect(await checked({ 1: [compare('a', '14')], 3: [compare('a', '14')] })).toBeUndefined()
    expect(await checked(null)).toBeUndefined()
  })
})
