import { Interface } from 'ethers'
import fc from 'fast-check'
import { encodeErrorResult, type Hex, keccak256, parseAbi, stringToBytes } from 'viem'
import { describe, expect, inject, test } from 'vitest'
import { creditsAbi } from '../../../../contracts/generated/Credits.ts'
import { BaseError } from '../../core/errors/baseError.ts'
import { normal } from '../transactionData/builders.ts'
import { creditsErrorOf } from './creditsErrors.ts'
import { decodeRevert, revertDataOf } from './decodeRevert.ts'

const target = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const soldOut = parseAbi(['error SoldOut(uint256 left)', 'function buy(uint256 price)'])
const soldOutData = encodeErrorResult({ abi: soldOut, errorName: 'SoldOut', args: [3n] })
const reason: Hex =
  '0x08c379a0000000000000000000000000000000000000000000000000000000000000002000000000000000000000000000000000000000000000000000000000000000066e6f206665650000000000000000000000000000000000000000000000000000'

describe('decodeRevert', () => {
  test.each([
    ['a text', reason, 'Error', 'no fee'],
    [
      'an overflow',
      `0x4e487b71${'11'.padStart(64, '0')}`,
      'Panic',
      'panic 17: arithmetic overflow or underflow',
    ],
    [
      'a code that Solidity does not define',
      `0x4e487b71${'99'.padStart(64, '0')}`,
      'Panic',
      'panic 153: an unknown code',
    ],
    [
      'a truncated code',
      `0x4e487b71${'11'.padStart(62, '0')}`,
      undefined,
      'it reverted with an unknown error (selector 0x4e487b71)',
    ],
    ['no data', '0x', undefined, 'it reverted without a reason'],
    ['half a selector', '0x1234', undefined, 'it reverted with 0x1234, which is not a Solidity error'],
    [
      'an unknown selector',
      '0xdeadbeef',
      undefined,
      'it reverted with an unknown error (selector 0xdeadbeef)',
    ],
    [
      'a known selector with truncated values',
      reason.slice(0, -64) as Hex,
      undefined,
      'it reverted with an unknown error (selector 0x08c379a0)',
    ],
  ] as [string, Hex, string | undefined, string][])('%s', (_, data, name, words) => {
    expect(decodeRevert({ data })).toMatchObject({ name, reason: words, data })
  })

  test('decodes the errors of the credits contract with their arguments', () => {
    const data = encodeErrorResult({
      abi: creditsAbi,
      errorName: 'InsufficientCredits',
      args: ['my-shop', target, 1_000_000n, 6_030_000n],
    })
    expect(decodeRevert({ data })).toEqual({
      name: 'InsufficientCredits',
      args: { creditSeed: 'my-shop', wallet: target, balance: 1_000_000n, needed: 6_030_000n },
      reason: `InsufficientCredits: creditSeed "my-shop", wallet ${target}, balance 1000000, needed 6030000`,
      data,
    })
  })

  test("decodes the called contract's reason inside CallFailed", () => {
    const data = encodeErrorResult({ abi: creditsAbi, errorName: 'CallFailed', args: [target, soldOutData] })
    const decoded = decodeRevert({ data, abi: soldOut })
    expect(decoded.reason).toBe(`CallFailed: target ${target}, because SoldOut: left 3`)
    expect(decoded.inner).toMatchObject({ name: 'SoldOut', args: { left: 3n } })
    expect(decodeRevert({ data }).reason).toContain('an unknown error (selector ')
  })

  test('decodes at most two nested reasons', () => {
    const failed = (reason: Hex) =>
      encodeErrorResult({ abi: creditsAbi, errorName: 'CallFailed', args: [target, reason] })
    const { inner } = decodeRevert({ data: failed(failed(failed(soldOutData))), abi: soldOut })
    expect(inner?.inner?.inner).toBeUndefined()
    expect(decodeRevert({ data: failed(failed(soldOutData)), abi: soldOut }).inner?.inner?.name).toBe(
      'SoldOut',
    )
  })

  test('decodes a nested reason only in CallFailed', () => {
    const abi = parseAbi([
      'error Other(address target, bytes reason)',
      'error CallFailed(uint8 one, uint8 two)',
    ])
    for (const [errorName, args] of [
      ['Other', [target, soldOutData]],
      ['CallFailed', [1, 2]],
    ] as const) {
      const decoded = decodeRevert({ data: encodeErrorResult({ abi, errorName, args } as never), abi })
      expect([decoded.name, decoded.inner]).toEqual([errorName, undefined])
    }
  })

  test.each([
    ['an error without values', 'error Closed()', [], 'Closed'],
    [
      'a list',
      'error Sizes(uint8[] sizes, string note)',
      [[1, 2], 'a "b"'],
      'Sizes: sizes [1, 2], note "a \\"b\\""',
    ],
    ['an unnamed value', 'error Left(uint8)', [3], 'Left: 0 3'],
  ])('describes %s', (_, item, args, text) => {
    const abi = parseAbi([item] as never)
    expect(decodeRevert({ data: encodeErrorResult({ abi, args } as never), abi }).reason).toBe(text)
  })

  test('ignores a function of the ABI that has the same selector', () => {
    const abi = parseAbi(['function SoldOut(uint256 left)'])
    expect(decodeRevert({ data: soldOutData, abi }).name).toBeUndefined()
  })

  test('returns the beginning of a text that the credits contract truncated to 1024 bytes', () => {
    const said = encodeErrorResult({
      abi: parseAbi(['error Error(string)']),
      errorName: 'Error',
      args: [`the shop is closed ${'today '.repeat(500)}`],
    })
    const cut = said.slice(0, 2 + 1024 * 2) as Hex
    const data = encodeErrorResult({ abi: creditsAbi, errorName: 'CallFailed', args: [target, cut] })
    const { inner, reason: described } = decodeRevert({ data })
    expect(inner?.name).toBe('Error')
    expect(described).toContain('because "the shop is closed today today')
    expect(inner?.reason).toHaveLength(500)
    // not decoded: fewer than 32 bytes of text, or an extra byte before the data
    for (const other of [said.slice(0, 2 + 99 * 2), `0x00${cut.slice(2)}`] as Hex[])
      expect(decodeRevert({ data: other }).name).toBeUndefined()
  })

  test('knows the errors of a builder’s ABI for the builder’s record, but not for a copy of the record', () => {
    const transactionData = normal({ to: target, abi: soldOut, functionName: 'buy', args: [1n] })
    expect(decodeRevert({ data: soldOutData, transactionData }).name).toBe('SoldOut')
    expect(decodeRevert({ data: soldOutData, transactionData: { ...transactionData } }).name).toBeUndefined()
    expect(JSON.stringify(transactionData)).not.toContain('SoldOut')
    expect(Reflect.ownKeys(transactionData)).toEqual(['transaction'])
  })

  test("removes line breaks and direction marks from a contract's text", () => {
    const text = 'fine\n\u001b[2K\u202eWhat to do: \u2028send again'
    const data = encodeErrorResult({
      abi: parseAbi(['error Error(string reason)']),
      errorName: 'Error',
      args: [text],
    })
    expect(decodeRevert({ data }).reason).toBe('fine [2K What to do:  send again')
  })

  test.each([
    [{ data: 'x' }, 'InvalidHexError', 'data'],
    [{ data: '0x', abi: 'x' }, 'InvalidRecordError', 'abi'],
  ])('refuses %o', (options, name, field) => {
    expect(() => decodeRevert(options as never)).toThrow(expect.objectContaining({ name, field }))
  })

  test('decodes nested values that another library encoded', () => {
    const abi = [
      'error Deep(string a, (uint8 b, bytes c, bool[2] d)[] e, int16 f, bytes4[] g, (address h, uint256 i) j)',
    ]
    const values = fc.tuple(
      fc.string({ unit: 'grapheme' }),
      fc.array(
        fc.tuple(
          fc.nat(255),
          fc.uint8Array({ maxLength: 70 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`),
          fc.tuple(fc.boolean(), fc.boolean()),
        ),
        { maxLength: 4 },
      ),
      fc.integer({ min: -32768, max: 32767 }),
      fc.array(fc.constantFrom('0x00000000', '0xffffffff', '0x12345678'), { maxLength: 4 }),
      fc.tuple(fc.constant(target), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })),
    )
    const coder = new Interface(abi)
    const item = JSON.parse(coder.formatJson())
    fc.assert(
      fc.property(values, ([a, e, f, g, j]) => {
        const data = coder.encodeErrorResult('Deep', [a, e, f, g, j]) as Hex
        const decoded = decodeRevert({ data, abi: item })
        expect(decoded.args).toEqual({
          a,
          e: e.map(([b, c, d]) => [BigInt(b), c, d]),
          f: BigInt(f),
          g,
          j,
        })
      }),
      { numRuns: inject('generatedInputs') },
    )
  })

  test.each<[string, unknown]>([
    [
      'uint16[2][3] a, string b',
      [
        [
          [1, 2],
          [3, 4],
          [5, 6],
        ],
        'x',
      ],
    ],
    [
      '(uint8 a, bool b)[2] c, address d',
      [
        [
          { a: 1, b: true },
          { a: 2, b: false },
        ],
        target,
      ],
    ],
    ['uint8[12] a, bool b', [Array.from({ length: 12 }, (_, at) => at), false]],
    ['(uint8 a, (uint8 b, uint8 c) d) e, uint8 f', [{ a: 1, d: { b: 2, c: 3 } }, 4]],
    ['(string a)[1] b, uint8 c', [[{ a: 'x' }], 1]],
    ['bytes32 a, bytes1 b, int8 c, int256 d', [`0x${'12'.repeat(32)}`, '0xff', -128, -1n]],
  ])('decodes values that follow values of a fixed size: %s', (inputs, args) => {
    const item = `error Fixed(${inputs})`
    const abi = parseAbi([item] as never)
    const data = encodeErrorResult({ abi, args } as never)
    const decoded = new Interface([item]).decodeErrorResult('Fixed', data).toArray(true)
    expect(Object.values(decodeRevert({ data, abi }).args)).toEqual(decoded)
  })

  test('decodes at most 500 values', () => {
    const abi = parseAbi(['error Many(uint8[] list)'])
    const data = (length: number) =>
      encodeErrorResult({ abi, errorName: 'Many', args: [Array(length).fill(1)] })
    // the list's offset and length count as values too
    expect(decodeRevert({ data: data(498), abi }).name).toBe('Many')
    expect(decodeRevert({ data: data(499), abi }).name).toBeUndefined()
  })

  test.each([
    ['address', `01${'00'.repeat(31)}`],
    ['address', `${'00'.repeat(11)}01${'11'.repeat(20)}`],
    ['bool', '2'.padStart(64, '0')],
    ['uint8', '100'.padStart(64, '0')],
    ['uint8', `01${'00'.repeat(31)}`],
    ['uint8[1]x', '00'.repeat(32)],
    ['int8', '80'.padStart(64, '0')],
    ['int8', `fe${'ff'.repeat(31)}`],
    ['bytes4', `12345678${'00'.repeat(27)}01`],
    ['bytes33', '00'.repeat(32)],
    ['function', '00'.repeat(32)],
    ['xuint8', '00'.repeat(32)],
    ['uint8x', '00'.repeat(32)],
    ['string', 'ff'.repeat(32)],
  ])('does not decode a malformed %s: %s', (type, word) => {
    const abi = [{ type: 'error', name: 'One', inputs: [{ type, name: 'value' }] }]
    const selector = keccak256(stringToBytes(`One(${type})`)).slice(0, 10)
    expect(decodeRevert({ data: `${selector}${word}` as Hex, abi }).name).toBeUndefined()
  })

  test('returns a reason for random bytes after a known selector, without throwing', () => {
    const abi = parseAbi(['error Many(uint256[][][] a, string b, (bytes[] c)[] d)'])
    const valid = encodeErrorResult({
      abi,
      errorName: 'Many',
      args: [[[[1n], [2n]], []], 'x', [{ c: ['0x12'] }]],
    })
    const selectors = fc.constantFrom(valid.slice(0, 10), '0x08c379a0', '0x4e487b71', '0xeecb1a51')
    const words = fc.array(
      fc.oneof(
        fc.constantFrom(...(valid.slice(10).match(/.{64}/g) ?? [])),
        fc.nat(400).map((value) => value.toString(16).padStart(64, '0')),
        fc.constant('f'.repeat(64)),
      ),
      { maxLength: 20 },
    )
    fc.assert(
      fc.property(selectors, words, (selector, list) => {
        const decoded = decodeRevert({ data: `${selector}${list.join('')}` as Hex, abi })
        expect(decoded.reason.length).toBeLessThanOrEqual(500)
      }),
      { numRuns: inject('generatedInputs') },
    )
    // every list refers to itself, so a naive decoder would never finish
    const loop = `${valid.slice(0, 10)}${'20'.padStart(64, '0')}${'20'.padStart(64, '0').repeat(200)}` as Hex
    expect(decodeRevert({ data: loop, abi }).name).toBeUndefined()
  })
})

test('creditsErrorOf finds an error of the credits contract by its name', () => {
  expect(creditsErrorOf('InsufficientCredits')).toBeDefined()
  for (const name of [undefined, 'Error', 'toString']) expect(creditsErrorOf(name)).toBeUndefined()
})

/** The errors with which different nodes and libraries report the same revert. */
const nodes: [string, unknown, string | undefined][] = [
  ['geth, Anvil, Alchemy', { code: 3, message: 'execution reverted: no fee', data: reason }, reason],
  ['recent Nethermind', { code: -32000, message: 'execution reverted', data: reason }, reason],
  // NethermindEth/nethermind issue 5740, and OpenEthereum before it
  ['Nethermind', { code: -32015, message: 'VM execution error.', data: `Reverted ${reason}` }, reason],
  ['Nethermind, with the bytes in its message', { code: -32015, message: `Reverted ${reason}` }, reason],
  ['Nethermind without bytes', { code: -32015, message: 'VM execution error.', data: 'Reverted 0x' }, '0x'],
  [
    'Hardhat',
    { code: -32603, message: 'Error: reverted', data: { message: 'x', txHash: '0x12', data: reason } },
    reason,
  ],
  [
    'Ganache 7',
    {
      code: -32000,
      message: 'VM Exception',
      data: { hash: null, programCounter: 889, result: reason, reason: 'no fee' },
    },
    reason,
  ],
  [
    'Ganache 2',
    { code: -32000, data: { [`0x${'ab'.repeat(32)}`]: { error: 'revert', return: reason } } },
    reason,
  ],
  [
    'a wallet',
    { code: -32603, message: 'Internal', data: { originalError: { code: 3, data: reason } } },
    reason,
  ],
  [
    'viem, which wraps a node’s error',
    Object.assign(new Error('Missing or invalid parameters.'), {
      cause: Object.assign(new Error('RPC'), {
        code: 3,
        data: reason,
        body: { params: [{ data: '0x12345678' }] },
      }),
    }),
    reason,
  ],
  [
    'ethers v5, which wraps a node’s error',
    {
      code: 'CALL_EXCEPTION',
      data: '0x',
      transaction: { data: '0x26e0a196' },
      error: { body: `{"error":{"data":"Reverted ${reason}"}}` },
    },
    reason,
  ],
  [
    'ethers v6, which wraps a node’s error',
    { code: 'CALL_EXCEPTION', data: null, info: { error: { code: 3, data: reason } } },
    reason,
  ],
  ['text next to the bytes', { data: 'execution reverted', error: { data: reason } }, reason],
  ['a node that is down', Object.assign(new Error('HTTP request failed.'), { status: 502 }), undefined],
  ['a text', 'execution reverted', undefined],
  ['nothing', undefined, undefined],
]

describe('revertDataOf', () => {
  test.each(nodes)('%s', (_, error, data) => {
    expect(revertDataOf(error)).toBe(data)
  })

  test('searches at most 64 fields', () => {
    const nested = (depth: number): unknown => (depth === 0 ? reason : { cause: nested(depth - 1) })
    expect(revertDataOf(nested(7))).toBe(reason)
    expect(revertDataOf(nested(70))).toBeUndefined()
    const among = (others: number) => {
      const keys = Array.from({ length: others }, (_, at) => `0x${`${at}`.padStart(64, '0')}`)
      return revertDataOf(
        Object.fromEntries(
          [...keys, `0x${'f'.repeat(64)}`].map((key, at) => [key, at === others ? reason : 'x']),
        ),
      )
    }
    // the error itself and its seven absent fields count too
    expect(among(64 - 1 - 8)).toBe(reason)
    expect(among(64 - 1 - 7)).toBeUndefined()
  })

  test('returns undefined for a circular error, and for one that throws when it is read', () => {
    const circle: Record<string, unknown> = {}
    circle.cause = circle
    expect(revertDataOf(circle)).toBeUndefined()
    const breaking = {
      get data(): never {
        throw new BaseError('no')
      },
    }
    expect(revertDataOf(breaking)).toBeUndefined()
  })
})
