import { inspect } from 'node:util'
import { Signature as EthersSignature } from 'ethers'
import fc from 'fast-check'
import {
  compactSignatureToSignature,
  deploylessCallViaFactoryBytecode,
  encodeDeployData,
  encodeFunctionData,
  getAddress,
  type Hex,
  hexToBigInt,
  parseAbi,
  parseCompactSignature,
  serializeErc6492Signature,
  serializeSignature,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, inject, test } from 'vitest'
import { BaseError } from '../../core/errors/baseError.ts'
import { caught } from '../caught.fixture.ts'
import {
  classifySignature,
  normalizeSignature,
  type SignatureInput,
  unwrapErc6492,
} from './normalizeSignature.ts'
import type { SignatureScheme } from './signatureScheme.ts'
import { recoverSigner, verifyDigest } from './verifyDigest.ts'

const erc6492Suffix = '6492'.repeat(16)
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const account = privateKeyToAccount(`0x${'01'.repeat(32)}`)
const digest: Hex = `0x${'42'.repeat(32)}`
const word = (value: bigint) => value.toString(16).padStart(64, '0')
const flip = (signature: Hex): Hex =>
  `0x${signature.slice(2, 66)}${word(order - hexToBigInt(`0x${signature.slice(66, 130)}`))}${signature.endsWith('1b') ? '1c' : '1b'}`
const fails = (name: string, field: string) => expect.objectContaining({ name, field })

describe('normalizeSignature', () => {
  test('returns the same canonical bytes for every form of a signature', async () => {
    for (let round = 0; round < 40; round++) {
      const key = privateKeyToAccount(generatePrivateKey())
      const canonical = await key.sign({ hash: digest })
      const parity = canonical.endsWith('1c') ? 1 : 0
      const r: Hex = `0x${canonical.slice(2, 66)}`
      const s: Hex = `0x${canonical.slice(66, 130)}`
      const compact = EthersSignature.from(canonical).compactSerialized as Hex
      const forms = {
        canonical,
        'v of 0 or 1': `${canonical.slice(0, 130)}0${parity}` as Hex,
        'high s': flip(canonical),
        'high s and v of 0 or 1': `${flip(canonical).slice(0, 130)}0${1 - parity}` as Hex,
        compact,
        parts: { r, s, v: 27 + parity },
        'parts with bigint v': { r, s, v: BigInt(27 + parity) },
        'parts with yParity': { r, s, yParity: parity },
        'parts with both': { r, s, v: 27 + parity, yParity: parity },
        'upper case': `0x${canonical.slice(2).toUpperCase()}` as Hex,
      }
      for (const [name, form] of Object.entries(forms)) expect(normalizeSignature(form), name).toBe(canonical)
      // viem decodes the compact form to the same signature
      expect(serializeSignature(compactSignatureToSignature(parseCompactSignature(compact)))).toBe(canonical)
      expect(await recoverSigner(digest, flip(canonical))).toBe(key.address)
    }
  })
  test('a compact signature (ERC-2098) cannot have a high s', async () => {
    const canonical = await account.sign({ hash: digest })
    const high = flip(canonical)
    const s = hexToBigInt(`0x${high.slice(66, 130)}`)
    // ERC-2098 uses the highest bit of s for the parity
    expect(s >> 255n).toBe(high.slice(66, 67) >= '8' ? 1n : 0n)
  })
  test('returns the low s, which is at most half the curve order', () => {
    const r: Hex = `0x${word(1n)}`
    const half = order / 2n
    const of = (s: bigint) => normalizeSignature({ r, s: `0x${word(s)}`, v: 27 }).slice(66)
    expect(of(half)).toBe(`${word(half)}1b`)
    expect(of(half + 1n)).toBe(`${word(half)}1c`)
  })
  test('does not change a canonical signature', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: order - 1n }),
        fc.bigInt({ min: 1n, max: order - 1n }),
        fc.constantFrom(0, 1, 27, 28),
        (r, s, v) => {
          const once = normalizeSignature({ r: `0x${word(r)}`, s: `0x${word(s)}`, v })
          expect(normalizeSignature(once)).toBe(once)
          expect(once).toHaveLength(132)
          const low = hexToBigInt(`0x${once.slice(66, 130)}`)
          expect(low === s || low === order - s).toBe(true)
          expect(low <= order / 2n).toBe(true)
          expect(once.endsWith(low === s ? (v % 27 === 0 ? '1b' : '1c') : v % 27 === 0 ? '1c' : '1b')).toBe(
            true,
          )
        },
      ),
      { numRuns: inject('generatedInputs') },
    )
  })
})

describe('normalizeSignature does not change', () => {
  const wrapped: Hex = `0x${'aB'.repeat(65)}${erc6492Suffix}`
  test.each<[string, Hex, boolean]>([
    ['an ERC-6492-wrapped signature', wrapped, false],
    ['a wrapped signature of exactly 65 bytes', `0x${'11'.repeat(33)}${erc6492Suffix}`, false],
    ['a wrapped signature of exactly 64 bytes', `0x${'11'.repeat(32)}${erc6492Suffix}`, false],
    ['66 bytes', `0x${'Ab'.repeat(66)}`, false],
    ['one byte', '0x01', false],
    ['63 bytes', `0x${'Ab'.repeat(63)}`, false],
    ['130 bytes', `0x${'Ab'.repeat(130)}`, false],
    ['65 bytes of an account with code, v 0', `0x${'Ab'.repeat(64)}00`, true],
    ['65 bytes of an account with code, v 29', `0x${'Ab'.repeat(64)}1D`, true],
    ['64 bytes of an account with code', `0x${'Ab'.repeat(64)}`, true],
    ['an empty signature of an account with code', '0x', true],
  ])('%s', (_, signature, hasCode) => {
    expect(normalizeSignature(signature, { hasCode })).toBe(signature)
  })
  test('the concatenated r, s and v of an account with code', () => {
    const word: Hex = `0x${'Ab'.repeat(32)}`
    for (const [v, byte] of [
      [0, '00'],
      [255, 'ff'],
    ] as const)
      expect(normalizeSignature({ r: word, s: word, v }, { hasCode: true })).toBe(
        `0x${'Ab'.repeat(64)}${byte}`,
      )
  })
})

describe('normalizeSignature refuses', () => {
  const one = word(1n)
  test.each<[string, unknown, string, string]>([
    ['no bytes', '0x', 'InvalidSignatureError', 'signature'],
    ['v of 2', `0x${one}${one}02`, 'InvalidSignatureError', 'signature.v'],
    ['v of 26', `0x${one}${one}1a`, 'InvalidSignatureError', 'signature.v'],
    ['v of 29', `0x${one}${one}1d`, 'InvalidSignatureError', 'signature.v'],
    ['v of 37', `0x${one}${one}25`, 'InvalidSignatureError', 'signature.v'],
    ['v of 255', { r: `0x${one}`, s: `0x${one}`, v: 255 }, 'InvalidSignatureError', 'signature.v'],
    ['v of 256', { r: `0x${one}`, s: `0x${one}`, v: 256 }, 'InvalidSignatureError', 'signature.v'],
    ['v of -1', { r: `0x${one}`, s: `0x${one}`, v: -1 }, 'InvalidSignatureError', 'signature.v'],
    ['v of 27.5', { r: `0x${one}`, s: `0x${one}`, v: 27.5 }, 'InvalidSignatureError', 'signature.v'],
    ['no v', { r: `0x${one}`, s: `0x${one}` }, 'InvalidSignatureError', 'signature.v'],
    ['a v that is text', { r: `0x${one}`, s: `0x${one}`, v: '27' }, 'InvalidSignatureError', 'signature.v'],
    [
      'contradictory v and yParity',
      { r: `0x${one}`, s: `0x${one}`, v: 27, yParity: 1 },
      'InvalidSignatureError',
      'signature.yParity',
    ],
    ['r of 0', `0x${word(0n)}${one}1b`, 'InvalidSignatureError', 'signature.r'],
    ['r equal to the curve order', `0x${word(order)}${one}1b`, 'InvalidSignatureError', 'signature.r'],
    ['s of 0', `0x${one}${word(0n)}1b`, 'InvalidSignatureError', 'signature.s'],
    ['s equal to the curve order', `0x${one}${word(order)}1b`, 'InvalidSignatureError', 'signature.s'],
    ['a compact s of 0', `0x${one}${word(1n << 255n)}`, 'InvalidSignatureError', 'signature.s'],
    ['half a byte', '0x123', 'InvalidHexError', 'signature'],
    ['text that is not hex', `0x${'zz'.repeat(65)}`, 'InvalidHexError', 'signature'],
    ['undefined', undefined, 'InvalidHexError', 'signature'],
    ['a short r', { r: '0x01', s: `0x${one}`, v: 27 }, 'InvalidHexError', 'signature.r'],
    ['a numeric s', { r: `0x${one}`, s: 1n, v: 27 }, 'InvalidHexError', 'signature.s'],
  ])('%s', (_, signature, name, field) => {
    // callers without TypeScript can pass this
    expect(() => normalizeSignature(signature as Hex)).toThrow(fails(name, field))
  })
  test('an error never contains a whole signature', async () => {
    const signature = `${(await account.sign({ hash: digest })).slice(0, 130)}1d` as Hex
    const message = String(caught(() => normalizeSignature(signature)))
    expect(message).not.toContain(signature.slice(2, 66))
    expect(String(caught(() => normalizeSignature(`${signature}z` as Hex)))).not.toContain(
      signature.slice(2, 66),
    )
  })
  test('any other invalid input, always with a redeemkit error', () => {
    const bytes = fc.uint8Array({ maxLength: 140 }).map((value) => `0x${Buffer.from(value).toString('hex')}`)
    const parts = fc.record({ r: fc.anything(), s: fc.anything(), v: fc.anything() })
    fc.assert(
      fc.property(fc.oneof(bytes, fc.string(), fc.anything(), parts), fc.boolean(), (signature, hasCode) => {
        // callers without TypeScript can pass this
        const error = caught(() => normalizeSignature(signature as Hex, { hasCode }))
        if (error !== undefined) expect(error).toBeInstanceOf(BaseError)
      }),
      { numRuns: inject('generatedInputs') },
    )
  })
})

describe('an ERC-6492 wrapper', () => {
  const someBytes = fc
    .uint8Array({ maxLength: 120 })
    .map((value): Hex => `0x${Buffer.from(value).toString('hex')}`)
  test('that viem wrote is unwrapped to the same parts', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 20, maxLength: 20 }),
        someBytes,
        someBytes,
        (factory, data, inner) => {
          const address: Hex = `0x${Buffer.from(factory).toString('hex')}`
          const parts = { factory: getAddress(address), factoryData: data, signature: inner }
          const wrapped = serializeErc6492Signature({ address, data, signature: inner })
          expect(unwrapErc6492(wrapped)).toEqual(parts)
        },
      ),
      // 64 bytes need no padding
      {
        numRuns: inject('generatedInputs'),
        examples: [[new Uint8Array(20), '0x', `0x${'11'.repeat(64)}`]],
      },
    )
  })
  test('causes an eth_call with the same simulated deployment that viem encodes', async () => {
    const calls: { to?: Hex; data: Hex }[] = []
    const recording = {
      request: async ({ method, params }: { method: string; params?: unknown }) => {
        if (method === 'eth_getCode') return '0x'
        calls.push((params as [{ data: Hex }])[0])
        return `0x1626ba7e${'0'.repeat(56)}`
      },
    }
    const parts = {
      address: account.address,
      data: `0x${'12'.repeat(45)}`,
      signature: `0x${'56'.repeat(65)}`,
    } as const
    const signature = serializeErc6492Signature(parts)
    expect(await verifyDigest({ address: account.address, digest, signature, client: recording })).toBe(true)
    const call = encodeFunctionData({
      abi: parseAbi(['function isValidSignature(bytes32, bytes)']),
      args: [digest, parts.signature],
    })
    const deployment = encodeDeployData({
      abi: parseAbi(['constructor(address, bytes, address, bytes)']),
      bytecode: deploylessCallViaFactoryBytecode,
      args: [account.address, call, parts.address, parts.data],
    })
    expect(calls).toEqual([{ data: deployment }])
  })
  test('of a deployed account that refuses the inner signature causes a second eth_call, with init code', async () => {
    const calls: { to?: Hex; data: Hex }[] = []
    const recording = {
      request: async ({ method, params }: { method: string; params?: unknown }) => {
        if (method === 'eth_getCode') return '0x60'
        const [call] = params as [{ to?: Hex; data: Hex }]
        calls.push(call)
        return call.to === undefined ? `0x1626ba7e${'0'.repeat(56)}` : '0x'
      },
    }
    const factory: Hex = `0x${'fa'.repeat(20)}`
    const signature = serializeErc6492Signature({ address: factory, data: '0x123456', signature: '0x78' })
    expect(await verifyDigest({ address: account.address, digest, signature, client: recording })).toBe(true)
    const asked = encodeFunctionData({
      abi: parseAbi(['function isValidSignature(bytes32, bytes)']),
      args: [digest, '0x78'],
    }).slice(2)
    const program =
      '62000003' +
      '62000076' +
      '600039' + // copies 3 bytes from offset 118
      '6000600062000003600060007' +
      '3' +
      factory.slice(2) +
      '5af1' + // calls the factory with these bytes
      '60365760006000fd5b' +
      '62000084' +
      '62000079' +
      '600039' + // copies 132 bytes from offset 121
      '6000600062000084600073' +
      account.address.slice(2).toLowerCase() +
      '5afa' + // calls the account
      '606b5760006000fd5b3d600060003e3d6000f3'
    expect(calls.map(({ data }) => data.toLowerCase())).toEqual([`0x${asked}`, `0x${program}123456${asked}`])
  })
  test('that is damaged is not unwrapped to other bytes', () => {
    const good = serializeErc6492Signature({ address: account.address, data: '0x1234', signature: '0x5678' })
    const broken = fc
      .tuple(fc.nat(good.length - 67), fc.nat(70), someBytes)
      .map(([at, cut, inserted]) => good.slice(2, at + 2) + inserted.slice(2) + good.slice(at + 2 + cut, -64))
      .map((body): Hex => `0x${body.slice(body.length % 2)}${erc6492Suffix}`)
    fc.assert(
      fc.property(broken, (signature) => {
        const parts = unwrapErc6492(signature)
        if (parts !== undefined) expect(signature).toContain(parts.signature.slice(2))
      }),
      { numRuns: inject('generatedInputs') },
    )
  })
  test.each<[string, (words: string[]) => string[]]>([
    ['an address of more than 20 bytes', ([, ...rest]) => [`${'0'.repeat(23)}1${'ab'.repeat(20)}`, ...rest]],
    ['an offset beyond its end', ([to = '', , ...rest]) => [to, word(0x1000n), ...rest]],
    ['an offset that is too large', ([to = '', , ...rest]) => [to, 'f'.repeat(64), ...rest]],
    ['bytes beyond its end', (words) => words.map((one, at) => (at === 5 ? word(33n) : one))],
    ['no word for the length', (words) => words.slice(0, 5)],
    ['no offsets', (words) => words.slice(0, 1)],
    ['a truncated length', (words) => [...words.slice(0, 5), '00']],
  ])('with %s is not a valid wrapper', (_, change) => {
    const good = serializeErc6492Signature({ address: account.address, data: '0x1234', signature: '0x5678' })
    const words = good.slice(2, -64).match(/.{64}/g) ?? []
    expect(unwrapErc6492(`0x${change(words).join('')}${erc6492Suffix}`)).toBeUndefined()
    expect(unwrapErc6492(`0x${words.join('')}${erc6492Suffix}`)).toBeDefined()
    expect(unwrapErc6492(`0x${words.join('')}${'6493'.repeat(16)}`)).toBeUndefined()
  })
})

test('a valid signature with extra bytes does not verify', async () => {
  const good = await account.sign({ hash: digest })
  expect(await recoverSigner(digest, good)).toBe(account.address)
  for (const bytes of [`${good.slice(0, 130)}00${good.slice(130)}`, `${good}00`, `0x00${good.slice(2)}`])
    expect(await recoverSigner(digest, bytes as Hex)).toBeUndefined()
})

describe('the signature scheme of a chain', () => {
  const bytes: Hex = `0x${'11'.repeat(130)}`
  const asked: unknown[] = []
  const schemeThat = (answer: boolean) => ({
    chainIds: [4217],
    verify: async (given: object) => {
      asked.push(given)
      return answer
    },
  })
  const verify = (chainId: number | undefined, signature: SignatureInput = bytes, answer = true) => {
    asked.length = 0
    const signatures = schemeThat(answer) as unknown as SignatureScheme
    return verifyDigest({ address: account.address, digest, signature, chainId, signatures })
  }

  test('verifies signatures on its own chains only', async () => {
    expect(await verify(4217)).toBe(true)
    expect(asked).toMatchObject([{ account: account.address, digest, signature: bytes }])
    for (const chainId of [8453, undefined]) {
      expect(await verify(chainId)).toBe(false)
      expect(asked).toEqual([])
    }
  })

  test('receives the signature as bytes, even if the caller passed r, s and v', async () => {
    const r: Hex = `0x${word(1n)}`
    expect(await verify(4217, { r, s: r, v: 27 })).toBe(true)
    expect(asked).toMatchObject([{ signature: `${r}${word(1n)}1b` }])
  })

  test('that refuses a signature does not rule out a signature by the account’s own key', async () => {
    expect(await verify(4217, bytes, false)).toBe(false)
    expect(await verify(4217, await account.sign({ hash: digest }), false)).toBe(true)
  })

  test('without a list of chain ids is refused, and the error names the option', async () => {
    const given = {
      address: account.address,
      digest,
      signature: bytes,
      chainId: 4217,
      signatures: {} as never,
    }
    await expect(verifyDigest(given)).rejects.toEqual(fails('InvalidOptionError', 'signatures'))
  })
})

test('classifySignature uses only the length and the last bytes', () => {
  expect(classifySignature('0x')).toBe('empty')
  expect(classifySignature(`0x${'11'.repeat(65)}`)).toBe('packed')
  expect(classifySignature(`0x${'11'.repeat(64)}`)).toBe('compact')
  expect(classifySignature(`0x${'11'.repeat(96)}`)).toBe('other')
  expect(classifySignature(`0x${erc6492Suffix}`)).toBe('erc6492')
  expect(classifySignature(`0x${'11'.repeat(33)}${erc6492Suffix}`)).toBe('erc6492')
})

describe('verifyDigest with a client', () => {
  const client = (answers: Record<string, unknown>) => ({
    request: async ({ method }: { method: string }) => {
      const answer = answers[method]
      if (answer instanceof Error) throw answer
      return answer
    },
  })
  const yes = `0x1626ba7e${'0'.repeat(56)}`
  const options = { address: account.address, digest, signature: `0x${'11'.repeat(65)}` as Hex }
  test.each<[string, Record<string, unknown>, boolean]>([
    ['returns the magic value', { eth_getCode: '0x60', eth_call: yes }, true],
    ['returns another value', { eth_getCode: '0x60', eth_call: `0xffffffff${'0'.repeat(56)}` }, false],
    ['returns no bytes', { eth_getCode: '0x60', eth_call: '0x' }, false],
    ['returns only 4 bytes', { eth_getCode: '0x60', eth_call: '0x1626ba7e' }, false],
    [
      'returns the magic value and more bytes, as OpenZeppelin accepts',
      { eth_getCode: '0x60', eth_call: `${yes}00` },
      true,
    ],
    ['returns only 31 bytes', { eth_getCode: '0x60', eth_call: yes.slice(0, -2) }, false],
    [
      'returns the magic value in the second word',
      { eth_getCode: '0x60', eth_call: `0x${'0'.repeat(64)}${yes.slice(2)}` },
      false,
    ],
    [
      'returns the magic value in upper case',
      { eth_getCode: '0x60', eth_call: `0x1626BA7E${'0'.repeat(56)}` },
      true,
    ],
    [
      'returns the magic value with a wrong last byte',
      { eth_getCode: '0x60', eth_call: `0x1626ba7e${'0'.repeat(55)}1` },
      false,
    ],
    [
      'reverts',
      { eth_getCode: '0x60', eth_call: Object.assign(new Error('execution reverted'), { code: 3 }) },
      false,
    ],
    [
      'reverts, and the node reports it with another message',
      {
        eth_getCode: '0x60',
        eth_call: Object.assign(new Error('VM Exception while processing transaction: revert'), {
          code: -32000,
        }),
      },
      false,
    ],
    ['runs out of gas', { eth_getCode: '0x60', eth_call: new Error('out of gas') }, false],
  ])('judges a contract that %s', async (_, answers, expected) => {
    expect(await verifyDigest({ ...options, client: client(answers) })).toBe(expected)
  })
  test.each<[string, readonly (string | Error)[], boolean]>([
    ['is accepted immediately', [yes], true],
    ['is accepted after the wrapper’s factory call', ['0x', yes], true],
    [
      'is accepted after the wrapper’s factory call, though the account reverted before',
      [new Error('execution reverted'), yes],
      true,
    ],
    ['is refused if the account never accepts it', ['0x', '0x'], false],
    ['is refused if the wrapper’s factory call fails', ['0x', new Error('execution reverted')], false],
  ])('an ERC-6492-wrapped signature of an account with code %s', async (_, answers, expected) => {
    const calls: { to?: Hex }[] = []
    const node = {
      request: async ({ method, params }: { method: string; params?: unknown }) => {
        if (method === 'eth_getCode') return '0x60'
        const answer = answers[calls.length]
        calls.push((params as [{ to?: Hex }])[0])
        if (answer instanceof Error) throw answer
        return answer
      },
    }
    const signature = serializeErc6492Signature({ address: account.address, data: '0x12', signature: '0x34' })
    expect(await verifyDigest({ ...options, signature, client: node })).toBe(expected)
    // the first call goes to the account; the second one is init code, so it has no `to`
    expect(calls.map(({ to }) => to)).toEqual([account.address, undefined].slice(0, answers.length))
  })
  test('refuses a signature by the account’s own key if the account’s code refuses it', async () => {
    const signature = await account.sign({ hash: digest })
    const refusing = client({ eth_getCode: `0xef0100${'11'.repeat(20)}`, eth_call: '0x' })
    expect(await verifyDigest({ ...options, signature, client: refusing })).toBe(false)
    expect(await verifyDigest({ ...options, signature, client: client({ eth_getCode: '0x' }) })).toBe(true)
  })
  test.each<[string, Record<string, unknown>]>([
    ['cannot be reached', { eth_getCode: new Error('fetch failed') }],
    ['returns null', { eth_getCode: null }],
    ['returns HTML', { eth_getCode: '<html>' }],
    ['loses the connection', { eth_getCode: '0x60', eth_call: new Error('socket hang up') }],
    ['returns an object for a call', { eth_getCode: '0x60', eth_call: {} }],
  ])('throws a ChainReadError if the node %s', async (_, answers) => {
    await expect(verifyDigest({ ...options, client: client(answers) })).rejects.toThrow(
      fails('ChainReadError', 'client'),
    )
  })
  test.each<[string, unknown]>([
    ['throws an error without text', { message: Object.create(null), details: { toString: 1 } }],
    ['throws a value that throws when it is read', new Proxy({}, { get: () => JSON.parse('{') })],
    ['throws undefined', undefined],
  ])('throws a ChainReadError if the client %s', async (_, thrown) => {
    const broken = {
      request: async ({ method }: { method: string }) => {
        if (method === 'eth_call') throw thrown
        return '0x60'
      },
    }
    await expect(verifyDigest({ ...options, client: broken })).rejects.toThrow(
      fails('ChainReadError', 'client'),
    )
  })
  test('does not leak the signature into the error of a failing node', async () => {
    const signature = await account.sign({ hash: digest })
    const repeating = {
      request: async ({ method, params }: { method: string; params?: unknown }) => {
        if (method === 'eth_getCode') return '0x60'
        throw new Error('HTTP request failed.', { cause: new Error(`body: ${JSON.stringify(params)}`) })
      },
    }
    const error: unknown = await verifyDigest({ ...options, signature, client: repeating }).catch(
      (cause: unknown) => cause,
    )
    expect(error).toMatchObject({ name: 'ChainReadError', field: 'client' })
    expect(inspect(error, { depth: 9 })).not.toContain(signature.slice(2, 100))
  })
  test('on Tempo, accepts a canonical signature by the account’s key even if the account’s code refuses it', async () => {
    const refusing = client({ eth_getCode: '0x60', eth_call: '0x' })
    const good = await account.sign({ hash: digest })
    const verify = (signature: Hex) =>
      verifyDigest({ ...options, chainId: 4217, signature, client: refusing })
    expect(await verify(good)).toBe(true)
    const yParity = good.endsWith('1c') ? '01' : '00'
    for (const form of [flip(good), `${good.slice(0, -2)}${yParity}`, `0x${'11'.repeat(65)}`])
      expect(await verify(form as Hex)).toBe(false)
  })
  test('throws a ChainReadError if the client is not a client', async () => {
    await expect(verifyDigest({ ...options, client: {} as never })).rejects.toThrow(
      fails('ChainReadError', 'client'),
    )
  })
  test('refuses a damaged ERC-6492 wrapper', async () => {
    const signature: Hex = `0x${'ff'.repeat(96)}${erc6492Suffix}`
    expect(
      await verifyDigest({ ...options, signature, client: client({ eth_getCode: '0x', eth_call: '0x' }) }),
    ).toBe(false)
    expect(await verifyDigest({ ...options, signature })).toBe(false)
  })
})

test('the error for an invalid address names the option', async () => {
  const given = { address: '0x12', digest, signature: '0x' } as const
  await expect(verifyDigest(given)).rejects.toThrow(fails('InvalidAddressError', 'address'))
})
