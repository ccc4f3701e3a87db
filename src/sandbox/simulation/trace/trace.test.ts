import { encodeAbiParameters, type Hex, pad, parseAbiParameters, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import type { CallFrame } from '../redeemReport.ts'
import { failureOf, targetCall } from './frames.ts'
import { lastCheck } from './lastCheck.ts'
import { tokenMoves, usdcReceived } from './moves.ts'
import { readFrame } from './traceCall.ts'

const alice: Hex = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const bob: Hex = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const token: Hex = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

function frame(parts: Partial<CallFrame> = {}): CallFrame {
  return {
    type: 'CALL',
    from: alice,
    to: token,
    value: 0n,
    input: '0x',
    output: '0x',
    gas: 100_000n,
    gasUsed: 50_000n,
    text: undefined,
    failure: undefined,
    logs: [],
    calls: [],
    ...parts,
  }
}

const log = (topics: readonly Hex[], data: Hex = '0x') => ({ address: token, topics, data, text: undefined })
const failed = (output: Hex, calls: CallFrame[] = []) => frame({ failure: 'it reverted', output, calls })

/** A view call that failed without revert data. */
const asked: CallFrame = { ...failed('0x'), type: 'STATICCALL' }

describe('failureOf', () => {
  test.each([
    ['a failure forwarded unchanged', failed('0x11223344', [frame(), failed('0x11223344')]), [1]],
    ['a failure inside another error', failed('0xaabbccdd11223344', [failed('0x11223344')]), [0]],
    ['a failure with empty revert data', failed('0xaabbccdd', [failed('0x')]), [0]],
    ['a query with empty revert data', failed('0x', [asked]), [0]],
    ['a query whose failure the caller replaced with its own error', failed('0xaabbccdd', [asked]), []],
    ['a caught failure before another reason', failed('0xaabbccdd', [failed('0x11223344')]), []],
    ['a caught failure before another call', failed('0x', [failed('0x'), frame()]), []],
  ])('finds the origin of %s', (_, root, at) => {
    expect(failureOf(root)?.at).toEqual(at)
  })

  test('returns undefined for a call that succeeded', () => {
    expect(failureOf(frame({ calls: [failed('0x')] }))).toBeUndefined()
  })
})

describe('targetCall', () => {
  const call = frame({ from: token, to: bob, input: '0x11223344' })
  const options = { creditsContract: token, settlement: { target: bob, data: '0x11223344' } } as const
  const around = (inner: CallFrame) => frame({ from: token, to: token, input: '0x12175c7b', calls: [inner] })

  test('is inside a call of the credits contract to itself if it holds older tokens', () => {
    expect(targetCall(frame({ calls: [frame(), around(call)] }), options)).toEqual({
      frame: call,
      place: 1,
      depth: 2,
    })
  })

  test('is the one that took effect, if the credits contract repeats it', () => {
    const undone = { ...around(frame({ ...call, gas: 1n })), failure: 'it reverted' }
    expect(targetCall(frame({ calls: [undone, call] }), options)).toEqual({ frame: call, place: 1, depth: 1 })
    expect(targetCall(frame({ calls: [undone] }), options)).toBeUndefined()
  })
})

describe('token transfers', () => {
  const usdcLog = log([transfer, pad(alice), pad(bob)], pad(toHex(5n)))

  test('ignores transfers inside a reverted call', () => {
    const inner = frame({ calls: [frame({ logs: [usdcLog] })] })
    expect(usdcReceived(frame({ calls: [inner] }), token)).toEqual([{ account: bob, amount: 5n }])
    expect(usdcReceived(frame({ calls: [{ ...inner, failure: 'it reverted' }] }), token)).toEqual([])
  })

  test('does not count USDC that only passed through an account', () => {
    const back = log([transfer, pad(bob), pad(alice)], pad(toHex(5n)))
    expect(usdcReceived(frame({ logs: [usdcLog, back] }), token)).toEqual([])
  })

  test('reads an ERC-1155 batch', () => {
    const data = encodeAbiParameters(parseAbiParameters('uint256[], uint256[]'), [
      [7n, 8n, 9n],
      [1n, 0n, 3n],
    ])
    const batch = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'
    const logs = [log([batch, pad(alice), pad(alice), pad(bob)], data)]
    expect(tokenMoves(frame({ logs }))).toMatchObject([
      { standard: 'ERC-1155', id: 7n, amount: 1n, to: bob },
      { id: 9n, amount: 3n },
    ])
  })

  test.each([
    ['a list beyond the data', pad(toHex(2n ** 200n))],
    ['nothing', '0x' as Hex],
    ['bytes that are not whole words', '0x1234' as Hex],
  ])('ignores a batch with %s', (_, data) => {
    const batch = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'
    expect(tokenMoves(frame({ logs: [log([batch, pad(alice), pad(alice), pad(bob)], data)] }))).toEqual([])
  })
})

const call = {
  type: 'CALL',
  from: alice.toLowerCase(),
  to: bob.toLowerCase(),
  gas: '0x5208',
  gasUsed: '0x0',
  input: '0x',
}
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
