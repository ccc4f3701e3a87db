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
import { classifySignature, unwrapErc6492 } from './classifySignature.ts'
import { normalizeSignature, type SignatureInput } from './normalizeSignature.ts'
import { recoverSigner } from './recoverSigner.ts'
import type { SignatureScheme } from './signatureScheme.ts'
import { verifyDigest } from './verifyDigest.ts'

const erc6492Suffix = '6492'.repeat(16)
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const account = privateKeyToAccount(`0x${'01'.repeat(32)}`)
const digest: Hex = `0x${'42'.repeat(32)}`
const word = (value: bigint) => value.toString(16).padStart(64, '0')
const flip = (signature: Hex): Hex =>
  `0x${signature.slice(2, 66)}${word(order - hexToBigInt(`0x${signature.slice(66, 130)}`))}${signature.endsWith('1b') ? '1c' : '1b'}`
const fails = (name: string, field: string) => expect.objectContaining({ name, field })

describe('the canonical form', () => {
  test('of many keys, from every form that signers return', async () => {
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
      // another library reads the compact form to the same parts
      expect(serializeSignature(compactSignatureToSignature(parseCompactSignature(compact)))).toBe(canonical)
      expect(await recoverSigner(digest, flip(canonical))).toBe(key.address)
    }
  })
  test('of a compact signature with a high s', async () => {
    const canonical = await account.sign({ hash: digest })
    const high = flip(canonical)
    const s = hexToBigInt(`0x${high.slice(66, 130)}`)
    // ERC-2098 has no room for an s of 256 bits: the top bit is the parity
    expect(s >> 255n).toBe(high.slice(66, 67) >= '8' ? 1n : 0n)
  })
  test('has the lower of the two values of s, at most half the order', () => {
    const r: Hex = `0x${word(1n)}`
    const half = order / 2n
    const of = (s: bigint) => normalizeSignature({ r, s: `0x${word(s)}`, v: 27 }).slice(66)
    expect(of(half)).toBe(`${word(half)}1b`)
    expect(of(half + 1n)).toBe(`${word(half)}1c`)
  })
  test('of a canonical signature is the same', () => {
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

describe('stays unchanged:', () => {
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
    ['no bytes of an account with code', '0x', true],
  ])('%s', (_, signature, hasCode) => {
    expect(normalizeSignature(signature, { hasCode })).toBe(signature)
  })
  test('the parts of an account with code, once joined', () => {
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

describe('no key can make', () => {
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
      'v and yParity that contradict',
      { r: `0x${one}`, s: `0x${one}`, v: 27, yParity: 1 },
      'InvalidSignatureError',
      'signature.yParity',
    ],
    ['r of 0', `0x${word(0n)}${one}1b`, 'InvalidSignatureError', 'signature.r'],
    ['r of the order', `0x${word(order)}${one}1b`, 'InvalidSignatureError', 'signature.r'],
    ['s of 0', `0x${one}${word(0n)}1b`, 'InvalidSignatureError', 'signature.s'],
    ['s of the order', `0x${one}${word(order)}1b`, 'InvalidSignatureError', 'signature.s'],
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
  test('an error never shows a whole signature', async () => {
    const signature = `${(await account.sign({ hash: digest })).slice(0, 130)}1d` as Hex
    const message = String(caught(() => normalizeSignature(signature)))
    expect(message).not.toContain(signature.slice(2, 66))
    expect(String(caught(() => normalizeSignature(`${signature}z` as Hex)))).not.toContain(
      signature.slice(2, 66),
    )
  })
  test('all other input is refused with a redeemkit error', () => {
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

describe('ERC-6492 wrapping', () => {
  const someBytes = fc
    .uint8Array({ maxLength: 120 })
    .map((value): Hex => `0x${Buffer.from(value).toString('hex')}`)
  test('is parsed as another library wrote it', () => {
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
      // 64 bytes fill their words to the end
      {
        numRuns: inject('generatedInputs'),
        examples: [[new Uint8Array(20), '0x', `0x${'11'.repeat(64)}`]],
      },
    )
  })
  test('the simulated deployment is encoded as another library encodes it', async () => {
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
  test('a deployed account that refuses is called again after its wrapper’s call, by a program that was tested on a chain', async () => {
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
      '600039' + // copies 3 bytes from 118
      '6000600062000003600060007' +
      '3' +
      factory.slice(2) +
      '5af1' + // calls the factory with them
      '60365760006000fd5b' +
      '62000084' +
      '62000079' +
      '600039' + // copies 132 bytes from 121
      '6000600062000084600073' +
      account.address.slice(2).toLowerCase() +
      '5afa' + // asks the account
      '606b5760006000fd5b3d600060003e3d6000f3'
    expect(calls.map(({ data }) => data.toLowerCase())).toEqual([`0x${asked}`, `0x${program}123456${asked}`])
  })
  test('is not recognized if damaged', () => {
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
    ['no length', (words) => words.slice(0, 5)],
    ['no offsets', (words) => words.slice(0, 1)],
    ['a cut length', (words) => [...words.slice(0, 5), '00']],
  ])('is not a wrapper with %s', (_, change) => {
    const good = serializeErc6492Signature({ address: account.address, data: '0x1234', signature: '0x5678' })
    const words = good.slice(2, -64).match(/.{64}/g) ?? []
    expect(unwrapErc6492(`0x${change(words).join('')}${erc6492Suffix}`)).toBeUndefined()
    expect(unwrapErc6492(`0x${words.join('')}${erc6492Suffix}`)).toBeDefined()
    expect(unwrapErc6492(`0x${words.join('')}${'6493'.repeat(16)}`)).toBeUndefined()
  })
})

test('a signature with extra bytes is invalid', async () => {
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

  test('decides on its own chain only', async () => {
    expect(await verify(4217)).toBe(true)
    expect(asked).toMatchObject([{ account: account.address, digest, signature: bytes }])
    for (const chainId of [8453, undefined]) {
      expect(await verify(chainId)).toBe(false)
      expect(asked).toEqual([])
    }
  })

  test('gets a signature as bytes, even if it was passed in parts', async () => {
    const r: Hex = `0x${word(1n)}`
    expect(await verify(4217, { r, s: r, v: 27 })).toBe(true)
    expect(asked).toMatchObject([{ signature: `${r}${word(1n)}1b` }])
  })

  test('that refuses a signature leaves the decision to the account’s key', async () => {
    expect(await verify(4217, bytes, false)).toBe(false)
    expect(await verify(4217, await account.sign({ hash: digest }), false)).toBe(true)
  })

  test('without a list of chains is refused by name', async () => {
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

test('signatures are classified by length and ending', () => {
  expect(classifySignature('0x')).toBe('empty')
  expect(classifySignature(`0x${'11'.repeat(65)}`)).toBe('packed')
  expect(classifySignature(`0x${'11'.repeat(64)}`)).toBe('compact')
  expect(classifySignature(`0x${'11'.repeat(96)}`)).toBe('other')
  expect(classifySignature(`0x${erc6492Suffix}`)).toBe('erc6492')
  expect(classifySignature(`0x${'11'.repeat(33)}${erc6492Suffix}`)).toBe('erc6492')
})

describe('a client', () => {
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
    ['says yes', { eth_getCode: '0x60', eth_call: yes }, true],
    ['says no', { eth_getCode: '0x60', eth_call: `0xffffffff${'0'.repeat(56)}` }, false],
    ['says nothing', { eth_getCode: '0x60', eth_call: '0x' }, false],
    ['says too little', { eth_getCode: '0x60', eth_call: '0x1626ba7e' }, false],
    ['says yes and more, which OpenZeppelin accepts', { eth_getCode: '0x60', eth_call: `${yes}00` }, true],
    ['says yes within 31 bytes', { eth_getCode: '0x60', eth_call: yes.slice(0, -2) }, false],
    [
      'says yes in the second word',
      { eth_getCode: '0x60', eth_call: `0x${'0'.repeat(64)}${yes.slice(2)}` },
      false,
    ],
    ['says yes in upper case', { eth_getCode: '0x60', eth_call: `0x1626BA7E${'0'.repeat(56)}` }, true],
    [
      'says yes with a wrong last byte',
      { eth_getCode: '0x60', eth_call: `0x1626ba7e${'0'.repeat(55)}1` },
      false,
    ],
    [
      'reverts',
      { eth_getCode: '0x60', eth_call: Object.assign(new Error('execution reverted'), { code: 3 }) },
      false,
    ],
    [
      'reverts, in the words of another node',
      {
        eth_getCode: '0x60',
        eth_call: Object.assign(new Error('VM Exception while processing transaction: revert'), {
          code: -32000,
        }),
      },
      false,
    ],
    ['runs out of gas', { eth_getCode: '0x60', eth_call: new Error('out of gas') }, false],
  ])('contract %s', async (_, answers, expected) => {
    expect(await verifyDigest({ ...options, client: client(answers) })).toBe(expected)
  })
  test.each<[string, readonly (string | Error)[], boolean]>([
    ['accepts the inner signature at once', [yes], true],
    ['accepts it after the wrapper’s call', ['0x', yes], true],
    ['reverts before that call, and accepts it afterwards', [new Error('execution reverted'), yes], true],
    ['never accepts it', ['0x', '0x'], false],
    ['refuses it, because that call fails', ['0x', new Error('execution reverted')], false],
  ])('an account with code and an ERC-6492-wrapped signature %s', async (_, answers, expected) => {
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
    // the account itself first, then the program, which has no address
    expect(calls.map(({ to }) => to)).toEqual([account.address, undefined].slice(0, answers.length))
  })
  test('an account with code decides, even if its own key signed', async () => {
    const signature = await account.sign({ hash: digest })
    const refusing = client({ eth_getCode: `0xef0100${'11'.repeat(20)}`, eth_call: '0x' })
    expect(await verifyDigest({ ...options, signature, client: refusing })).toBe(false)
    expect(await verifyDigest({ ...options, signature, client: client({ eth_getCode: '0x' }) })).toBe(true)
  })
  test.each<[string, Record<string, unknown>]>([
    ['cannot be reached', { eth_getCode: new Error('fetch failed') }],
    ['answers null', { eth_getCode: null }],
    ['answers garbage', { eth_getCode: '<html>' }],
    ['is cut off in the middle', { eth_getCode: '0x60', eth_call: new Error('socket hang up') }],
    ['answers a call with an object', { eth_getCode: '0x60', eth_call: {} }],
  ])('that %s is an error', async (_, answers) => {
    await expect(verifyDigest({ ...options, client: client(answers) })).rejects.toThrow(
      fails('ChainReadError', 'client'),
    )
  })
  test.each<[string, unknown]>([
    ['throws an error without text', { message: Object.create(null), details: { toString: 1 } }],
    ['throws an unreadable value', new Proxy({}, { get: () => JSON.parse('{') })],
    ['throws undefined', undefined],
  ])('that %s is an error', async (_, thrown) => {
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
  test('that fails does not leak the signature into the error', async () => {
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
  test('does not decide on Tempo if the account’s key signed in the one form that Tempo accepts', async () => {
    const refusing = client({ eth_getCode: '0x60', eth_call: '0x' })
    const good = await account.sign({ hash: digest })
    const verify = (signature: Hex) =>
      verifyDigest({ ...options, chainId: 4217, signature, client: refusing })
    expect(await verify(good)).toBe(true)
    const yParity = good.endsWith('1c') ? '01' : '00'
    for (const form of [flip(good), `${good.slice(0, -2)}${yParity}`, `0x${'11'.repeat(65)}`])
      expect(await verify(form as Hex)).toBe(false)
  })
  test('that is invalid is an error', async () => {
    await expect(verifyDigest({ ...options, client: {} as never })).rejects.toThrow(
      fails('ChainReadError', 'client'),
    )
  })
  test('a damaged ERC-6492 wrapper does not verify', async () => {
    const signature: Hex = `0x${'ff'.repeat(96)}${erc6492Suffix}`
    expect(
      await verifyDigest({ ...options, signature, client: client({ eth_getCode: '0x', eth_call: '0x' }) }),
    ).toBe(false)
    expect(await verifyDigest({ ...options, signature })).toBe(false)
  })
})

test('an invalid address is named', async () => {
  const given = { address: '0x12', digest, signature: '0x' } as const
  await expect(verifyDigest(given)).rejects.toThrow(fails('InvalidAddressError', 'address'))
})
