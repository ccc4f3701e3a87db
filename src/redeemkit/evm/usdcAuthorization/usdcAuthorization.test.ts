import { Signature as EthersSignature, TypedDataEncoder } from 'ethers'
import fc from 'fast-check'
import { bytesToHex, type Hex, hashTypedData } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, inject, test } from 'vitest'
import vectors from '../../../../test/vectors/usdc.json' with { type: 'json' }
import { BaseError } from '../../core/errors/baseError.ts'
import { absurdAmount } from '../../core/limits.ts'
import { usdcAuthorizationV1, usdcAuthorizationV2 } from '../../schema/usdcAuthorization.ts'
import { caught } from '../caught.fixture.ts'
import { typedDataJson } from '../signer/toSigner.ts'
import {
  cancelUsdcAuthorization,
  cancelUsdcAuthorizationTypedData,
  hashCancelUsdcAuthorization,
} from './cancelUsdcAuthorization.ts'
import { inspectUsdcAuthorization, usdcDomainFindings } from './inspectUsdcAuthorization.ts'
import { signUsdcAuthorization, verifyUsdcAuthorization } from './signUsdcAuthorization.ts'
import {
  hashUsdcAuthorization,
  parseUsdcAuthorizationMessage,
  type UsdcAuthorization,
  type UsdcAuthorizationType,
  usdcAuthorizationTypedData,
} from './usdcAuthorization.ts'
import {
  parseUsdcAuthorization,
  toUsdcAuthorizationV1,
  toUsdcAuthorizationV2,
} from './usdcAuthorizationRecord.ts'

const account = privateKeyToAccount(`0x${'01'.repeat(32)}`)
const credits = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const chainId = 8453
const nowSeconds = 1_800_000_000
const now = () => nowSeconds * 1000
const authorization: UsdcAuthorization = {
  from: account.address,
  to: credits,
  value: 4_000_000n,
  validAfter: 0n,
  validBefore: BigInt(nowSeconds + 600),
  nonce: '0xb9371f3d684d45668c2446aed1963b73c9a1319707043caa4d50cc6f1323a38d',
}
const types: readonly UsdcAuthorizationType[] = ['TransferWithAuthorization', 'ReceiveWithAuthorization']
const chainIds = vectors.tokens.map((token) => token.chainId)
const fails = (name: string, field?: string) =>
  expect.objectContaining(field === undefined ? { name } : { name, field })
const hexOf = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((value) => bytesToHex(value))
const uint = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const anyAuthorization: fc.Arbitrary<UsdcAuthorization> = fc.record({
  from: hexOf(20),
  to: hexOf(20),
  value: uint,
  validAfter: uint,
  validBefore: uint,
  nonce: hexOf(32),
})

describe('the digest', () => {
  test('has the typehashes of the vectors', () => {
    for (const type of types) {
      const members = usdcAuthorizationTypedData({ chainId, type, authorization }).types[type]
      const text = TypedDataEncoder.from({ [type]: [...members] }).encodeType(type)
      expect(Object.keys(vectors.typehashes)).toContain(text)
    }
  })
  test('of any authorization on every chain equals the digests of viem and ethers', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...chainIds),
        fc.constantFrom(...types),
        anyAuthorization,
        (someChain, type, some) => {
          const options = { chainId: someChain, type, authorization: some }
          const digest = hashUsdcAuthorization(options)
          const typedData = usdcAuthorizationTypedData(options)
          expect(hashTypedData(typedData)).toBe(digest)
          const mutable = { [type]: [...typedData.types[type]] }
          expect(TypedDataEncoder.hash(typedData.domain, mutable, typedData.message)).toBe(digest)
        },
      ),
      { numRuns: inject('generatedInputs') },
    )
  })
  test('of any cancellation equals the digests of viem and ethers', () => {
    fc.assert(
      fc.property(fc.constantFrom(...chainIds), hexOf(20), hexOf(32), (someChain, authorizer, nonce) => {
        const typedData = cancelUsdcAuthorizationTypedData({ chainId: someChain, authorizer, nonce })
        const digest = hashCancelUsdcAuthorization({ chainId: someChain, authorizer, nonce })
        expect(hashTypedData(typedData)).toBe(digest)
        const { CancelAuthorization } = typedData.types
        expect(
          TypedDataEncoder.hash(
            typedData.domain,
            { CancelAuthorization: [...CancelAuthorization] },
            typedData.message,
          ),
        ).toBe(digest)
      }),
      { numRuns: inject('generatedInputs') },
    )
  })
  test('for a test token uses the token’s domain', () => {
    const token = { address: credits, name: 'Test Dollar', version: '7' } as const
    const options = { chainId: 31337, type: 'ReceiveWithAuthorization' as const, authorization, token }
    expect(hashUsdcAuthorization(options)).toBe(hashTypedData(usdcAuthorizationTypedData(options)))
    expect(usdcAuthorizationTypedData(options).domain).toEqual({
      name: 'Test Dollar',
      version: '7',
      chainId: 31337,
      verifyingContract: credits,
    })
  })
  test.each([
    ['a value as text', { value: '4000000' }, 'InvalidAmountError', 'authorization.value'],
    ['an extra field', { tip: 1n }, 'UnknownFieldError', 'authorization.tip'],
  ])('of %s is refused, although viem would hash it without an error', (_, changed, name, field) => {
    const options = { chainId: 8453, type: 'ReceiveWithAuthorization', authorization } as const
    const typedData = usdcAuthorizationTypedData(options)
    const changedData = { ...typedData, message: { ...authorization, ...changed } }
    expect(hashTypedData(changedData as never)).toBe(hashTypedData(typedData))
    expect(() =>
      hashUsdcAuthorization({ ...options, authorization: { ...authorization, ...changed } as never }),
    ).toThrow(fails(name, field))
  })
})

describe('a chain or token without EIP-3009 is refused:', () => {
  const token = { address: credits, name: 'USDC' } as const
  test.each([4217, 42429, 31318])('a Tempo token as the test token on chain %i', async (tempo) => {
    const token = { address: '0x20c0000000000000000000000000000000000001', name: 'AlphaUSD' } as const
    const options = { chainId: tempo, type: 'ReceiveWithAuthorization', authorization, token } as const
    const thrown = fails('NoUsdcAuthorizationError')
    expect(() => hashUsdcAuthorization(options)).toThrow(thrown)
    await expect(signUsdcAuthorization(account, { ...options, now })).rejects.toThrow(thrown)
    await expect(
      cancelUsdcAuthorization(account, {
        chainId: tempo,
        token,
        authorizer: account.address,
        nonce: authorization.nonce,
      }),
    ).rejects.toThrow(thrown)
  })
  test('but a test token whose address only resembles a Tempo token is accepted', () => {
    const token = { address: `0x20c0${'11'.repeat(18)}`, name: 'USDC' } as const
    const options = { chainId: 31337, type: 'ReceiveWithAuthorization', authorization, token } as const
    expect(usdcAuthorizationTypedData(options).domain).toMatchObject({ name: 'USDC' })
  })
  test.each([4217, 42431])('Tempo %i', async (tempo) => {
    const options = { chainId: tempo, type: 'TransferWithAuthorization' as const, authorization }
    const refused = fails('NoUsdcAuthorizationError', 'chainId')
    expect(() => usdcAuthorizationTypedData(options)).toThrow(refused)
    expect(() => usdcAuthorizationTypedData({ ...options, token })).toThrow(refused)
    expect(() => hashUsdcAuthorization({ ...options, token })).toThrow(refused)
    await expect(signUsdcAuthorization(account, { ...options, token, now })).rejects.toThrow(refused)
    await expect(verifyUsdcAuthorization({ ...options, signature: '0x' })).rejects.toThrow(refused)
    await expect(
      cancelUsdcAuthorization(account, {
        chainId: tempo,
        authorizer: account.address,
        nonce: authorization.nonce,
      }),
    ).rejects.toThrow(refused)
  })
  test.each([10, 31337])('unknown chain %i', (other) => {
    expect(() =>
      usdcAuthorizationTypedData({ chainId: other, type: 'TransferWithAuthorization', authorization }),
    ).toThrow(fails('UnknownNetworkError', 'chainId'))
  })
})

describe('signUsdcAuthorization and verifyUsdcAuthorization', () => {
  test.each(types)('agree on a %s signature, which is invalid after any field changes', async (type) => {
    const options = { chainId, type, authorization }
    const signature = await signUsdcAuthorization(account, { ...options, now })
    expect(signature).toBe(await account.signTypedData(usdcAuthorizationTypedData(options)))
    expect(await verifyUsdcAuthorization({ ...options, signature })).toBe(true)
    const others: Partial<UsdcAuthorization>[] = [
      { from: credits },
      { to: account.address },
      { value: 4_000_001n },
      { validAfter: 1n },
      { validBefore: authorization.validBefore + 1n },
      { nonce: `${authorization.nonce.slice(0, -1)}e` as Hex },
    ]
    for (const other of others)
      expect(
        await verifyUsdcAuthorization({
          ...options,
          authorization: { ...authorization, ...other },
          signature,
        }),
      ).toBe(false)
    for (const other of chainIds.filter((id) => id !== chainId))
      expect(await verifyUsdcAuthorization({ ...options, chainId: other, signature })).toBe(false)
    const [otherType = type] = types.filter((name) => name !== type)
    expect(await verifyUsdcAuthorization({ ...options, type: otherType, signature })).toBe(false)
  })

  test.each<[string, Partial<Record<keyof UsdcAuthorization, unknown>>, string, string]>([
    ['a value of zero', { value: 0n }, 'InvalidAmountError', 'authorization.value'],
    ['a huge value', { value: 2n ** 256n }, 'InvalidAmountError', 'authorization.value'],
    ['a value as a number', { value: 4 }, 'InvalidAmountError', 'authorization.value'],
    ['an account other than the signer’s', { from: credits }, 'WrongSignerError', 'authorization.from'],
    [
      'the zero address as receiver',
      { to: `0x${'00'.repeat(20)}` },
      'InvalidAddressError',
      'authorization.to',
    ],
    [
      'the zero address as payer',
      { from: `0x${'00'.repeat(20)}` },
      'InvalidAddressError',
      'authorization.from',
    ],
    [
      'a broken checksum',
      { to: '0x5fbDB2315678afecb367f032d93F642f64180aa3' },
      'InvalidAddressError',
      'authorization.to',
    ],
    [
      'an authorization that has expired',
      { validBefore: BigInt(nowSeconds) },
      'ExpiredError',
      'authorization.validBefore',
    ],
    [
      'an authorization that expired long ago',
      { validBefore: 0n },
      'ExpiredError',
      'authorization.validBefore',
    ],
    [
      'an authorization that is not yet valid',
      { validAfter: BigInt(nowSeconds) },
      'NotYetValidError',
      'authorization.validAfter',
    ],
    ['a nonce of 33 bytes', { nonce: `0x${'11'.repeat(33)}` }, 'InvalidHexError', 'authorization.nonce'],
    ['an unknown field', { memo: 1 } as never, 'UnknownFieldError', 'authorization.memo'],
    ['a missing field', { validAfter: undefined }, 'MissingFieldError', 'authorization.validAfter'],
  ])('refuses %s', async (_, other, name, field) => {
    await expect(
      signUsdcAuthorization(account, {
        chainId,
        type: 'ReceiveWithAuthorization',
        // callers without TypeScript can pass this
        authorization: { ...authorization, ...other } as UsdcAuthorization,
        now,
      }),
    ).rejects.toThrow(fails(name, field))
  })

  test('treat validAfter and validBefore as exclusive', async () => {
    const sign = (times: Partial<UsdcAuthorization>, maxValidForSeconds?: number) =>
      signUsdcAuthorization(account, {
        chainId,
        type: 'ReceiveWithAuthorization',
        authorization: { ...authorization, ...times },
        maxValidForSeconds,
        now,
      })
    const at = BigInt(nowSeconds)
    await expect(sign({ validBefore: at - 1n })).rejects.toThrow(fails('ExpiredError'))
    await expect(sign({ validBefore: at })).rejects.toThrow(fails('ExpiredError'))
    await expect(sign({ validBefore: at + 1n })).resolves.toMatch(/^0x/)
    await expect(sign({ validAfter: at - 1n })).resolves.toMatch(/^0x/)
    await expect(sign({ validAfter: at })).rejects.toThrow(fails('NotYetValidError'))
    await expect(sign({ validAfter: at + 1n })).rejects.toThrow(fails('NotYetValidError'))
    await expect(sign({ validBefore: at + 3600n }, 3600)).resolves.toMatch(/^0x/)
    await expect(sign({ validBefore: at + 3601n }, 3600)).rejects.toThrow(
      fails('TooFarAheadError', 'authorization.validBefore'),
    )
    await expect(sign({ validBefore: 2n ** 256n - 1n })).resolves.toMatch(/^0x/)
  })

  test.each([null, true, '', Number.NaN, 1.5, {}])(
    'refuse %s as maxValidForSeconds',
    async (maxValidForSeconds) => {
      await expect(
        signUsdcAuthorization(account, {
          chainId: 8453,
          type: 'ReceiveWithAuthorization',
          authorization,
          now: () => 1_000,
          maxValidForSeconds,
        } as never),
      ).rejects.toThrow(fails('InvalidAmountError', 'maxValidForSeconds'))
    },
  )
  test('refuse an unknown authorization type', async () => {
    await expect(
      // callers without TypeScript can pass this
      signUsdcAuthorization(account, { chainId, type: 'Permit' as never, authorization, now }),
    ).rejects.toThrow(fails('UnknownAuthorizationTypeError', 'type'))
    for (const type of ['toString', '__proto__', 'constructor'])
      expect(() => hashUsdcAuthorization({ chainId, type: type as never, authorization })).toThrow(
        fails('UnknownAuthorizationTypeError', 'type'),
      )
  })
})

describe('V1 and V2 records', () => {
  test('are written from an authorization, and converted to each other', async () => {
    const signature = await signUsdcAuthorization(account, {
      chainId,
      type: 'ReceiveWithAuthorization',
      authorization,
      now,
    })
    const v1 = toUsdcAuthorizationV1({ authorization, signature })
    const v2 = toUsdcAuthorizationV2({ authorization, signature })
    expect(usdcAuthorizationV1.parse(v1)).toEqual(v1)
    expect(usdcAuthorizationV2.parse(v2)).toEqual(v2)
    expect(v2).toEqual({
      from: authorization.from,
      to: authorization.to,
      value: '4000000',
      validAfter: '0',
      validBefore: String(nowSeconds + 600),
      nonce: authorization.nonce,
      signature,
    })
    expect(toUsdcAuthorizationV2(v1)).toEqual(v2)
    expect(toUsdcAuthorizationV1(v2)).toEqual(v1)
    expect(parseUsdcAuthorization(v1)).toEqual({ version: 'V1', authorization, signature })
    expect(parseUsdcAuthorization(v2)).toEqual({ version: 'V2', authorization, signature })
    expect(
      parseUsdcAuthorization({ ...v1, validBefore: nowSeconds + 600, validAfter: 0 }).authorization,
    ).toEqual(authorization)
    // some hardware wallets return 0 or 1
    expect(toUsdcAuthorizationV1({ ...v1, v: v1.v - 27 })).toEqual(v1)
    const compact = EthersSignature.from(signature).compactSerialized as Hex
    expect(toUsdcAuthorizationV1({ authorization, signature: compact })).toEqual(v1)
    expect(toUsdcAuthorizationV2({ ...v1, v: v1.v - 27 })).toEqual(v2)
  })
  test("a contract account's signature stays unchanged, and only V2 can contain it", () => {
    const long: Hex = `0x${'aB'.repeat(100)}`
    expect(toUsdcAuthorizationV2({ authorization, signature: long }).signature).toBe(long)
    const odd: Hex = `0x${'aB'.repeat(64)}00`
    expect(toUsdcAuthorizationV2({ authorization, signature: odd }, { hasCode: true }).signature).toBe(odd)
    expect(toUsdcAuthorizationV2({ authorization, signature: '0x' }, { hasCode: true }).signature).toBe('0x')
    expect(() =>
      toUsdcAuthorizationV1({ authorization, signature: `0x${'11'.repeat(64)}1b` }, { hasCode: true }),
    ).toThrow(fails('V1NotPossibleError', 'signature'))
    expect(() => toUsdcAuthorizationV1({ authorization, signature: long })).toThrow(
      fails('V1NotPossibleError', 'signature'),
    )
  })
  test('that are invalid are refused', async () => {
    const v1 = toUsdcAuthorizationV1({ authorization, signature: `0x${'11'.repeat(64)}1b` })
    const { v, r, s, ...message } = v1
    for (const part of [{ v }, { r }, { s }])
      expect(() => parseUsdcAuthorization({ ...message, ...part, signature: '0x' } as never)).toThrow(
        fails('AmbiguousSignatureError', 'signature'),
      )
    expect(() => parseUsdcAuthorization({ ...v1, v: '27' } as never)).toThrow(
      expect.objectContaining({
        name: 'InvalidSignatureError',
        field: 'v',
        message: expect.stringContaining('"27"'),
      }),
    )
    expect(() => toUsdcAuthorizationV1({ ...v1, v: 29 })).toThrow(
      fails('InvalidSignatureError', 'signature.v'),
    )
    expect(() => toUsdcAuthorizationV2({ authorization, signature: '0x' })).toThrow(
      fails('InvalidSignatureError', 'signature'),
    )
    expect(() => toUsdcAuthorizationV1({ authorization, signature: '0x' })).toThrow(
      fails('InvalidSignatureError', 'signature'),
    )
    expect(() => parseUsdcAuthorization({ ...v1, v: 256 })).toThrow(fails('InvalidSignatureError', 'v'))
    expect(() => parseUsdcAuthorization({ ...message, v, r } as never)).toThrow(
      fails('MissingFieldError', 'usdcAuthorization.s'),
    )
    expect(() => parseUsdcAuthorization({ ...v1, value: '4.5' })).toThrow(
      fails('InvalidAmountError', 'value'),
    )
    expect(() => parseUsdcAuthorization({ ...v1, value: (2n ** 256n).toString() })).toThrow(
      fails('InvalidAmountError', 'value'),
    )
    expect(() => parseUsdcAuthorization({ ...v1, memo: 1 } as never)).toThrow(fails('UnknownFieldError'))
  })
  test('refuses any other input with a redeemkit error', () => {
    const v1 = toUsdcAuthorizationV1({ authorization, signature: `0x${'11'.repeat(64)}1b` })
    const broken = fc
      .tuple(fc.constantFrom(...Object.keys(v1), 'signature', 'authorization'), fc.anything())
      .map(([key, value]) => ({ ...v1, [key]: value }))
    fc.assert(
      fc.property(fc.oneof(broken, fc.anything()), (record) => {
        for (const read of [parseUsdcAuthorization, toUsdcAuthorizationV1, toUsdcAuthorizationV2]) {
          // callers without TypeScript can pass this
          const error = caught(() => read(record as never))
          if (error !== undefined) expect(error).toBeInstanceOf(BaseError)
        }
      }),
      { numRuns: inject('generatedInputs') },
    )
  })
})

describe('parseUsdcAuthorizationMessage', () => {
  const text = typedDataJson(
    usdcAuthorizationTypedData({ chainId, type: 'ReceiveWithAuthorization', authorization }),
  )
  test('parses the JSON that redeemkit sends to a wallet', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...chainIds),
        fc.constantFrom(...types),
        anyAuthorization,
        (id, type, some) => {
          const typedData = usdcAuthorizationTypedData({ chainId: id, type, authorization: some })
          expect(parseUsdcAuthorizationMessage(typedDataJson(typedData))).toEqual({
            domain: typedData.domain,
            type,
            authorization: typedData.message,
          })
        },
      ),
      { numRuns: inject('generatedInputs') },
    )
  })
  test.each<[string, string, string, string, string]>([
    ['the name in token lists', '"USD Coin"', '"USDC"', 'NotUsdcError', 'domain.name'],
    ['another version', '"version":"2"', '"version":"1"', 'NotUsdcError', 'domain.version'],
    [
      'another token',
      '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      credits,
      'NotUsdcError',
      'domain.verifyingContract',
    ],
    ['another chain', '"chainId":8453', '"chainId":1', 'NotUsdcError', 'domain.verifyingContract'],
    ['an unknown chain', '"chainId":8453', '"chainId":10', 'UnknownNetworkError', 'chainId'],
    ['Tempo', '"chainId":8453', '"chainId":4217', 'NoUsdcAuthorizationError', 'chainId'],
    [
      'a permit of EIP-2612',
      '"primaryType":"ReceiveWithAuthorization"',
      '"primaryType":"Permit"',
      'UnknownTypedDataError',
      'types',
    ],
    [
      'a type name that does not match the types',
      '"primaryType":"ReceiveWithAuthorization"',
      '"primaryType":"TransferWithAuthorization"',
      'UnknownTypedDataError',
      'types',
    ],
    [
      'an integer above 2^53',
      '"value":"4000000"',
      '"value":9007199254740993',
      'UnsafeJsonNumberError',
      'message',
    ],
  ])('refuses %s', (_, from, to, name, field) => {
    expect(text).toContain(from)
    expect(() => parseUsdcAuthorizationMessage(text.replace(from, to))).toThrow(fails(name, field))
  })
  test('accepts a test token that the caller passes', () => {
    const token = { address: credits, name: 'Test Dollar' } as const
    const local = typedDataJson(
      usdcAuthorizationTypedData({ chainId: 31337, type: 'TransferWithAuthorization', authorization, token }),
    )
    expect(parseUsdcAuthorizationMessage(local, { token }).type).toBe('TransferWithAuthorization')
    expect(() => parseUsdcAuthorizationMessage(local)).toThrow(fails('UnknownNetworkError'))
  })
  test('refuses any other input with a redeemkit error', () => {
    const record = JSON.parse(text)
    const broken = fc
      .tuple(
        fc.constantFrom(
          ...['domain', 'types', 'message'].flatMap((outer) =>
            Object.keys(record[outer]).map((key) => [outer, key] as const),
          ),
        ),
        fc.jsonValue(),
      )
      .map(([[outer, key], value]) =>
        JSON.stringify({ ...record, [outer]: { ...record[outer], [key]: value } }),
      )
    fc.assert(
      fc.property(fc.oneof(broken, fc.json(), fc.string()), (some) => {
        const error = caught(() => parseUsdcAuthorizationMessage(some))
        if (error !== undefined) expect(error).toBeInstanceOf(BaseError)
      }),
      { numRuns: inject('generatedInputs') },
    )
  })
})

describe('inspectUsdcAuthorization', () => {
  const { domain } = usdcAuthorizationTypedData({ chainId, type: 'ReceiveWithAuthorization', authorization })
  const context = {
    pinned: [{ chainId: 8453, creditsContract: credits, creditSeed: 'my-shop' }],
    now,
    chainId,
    maxCents: 400,
  } as const
  const codes = (edit: object, more: object = {}, type: UsdcAuthorizationType = 'ReceiveWithAuthorization') =>
    inspectUsdcAuthorization(
      { domain, type, authorization: { ...authorization, ...edit } },
      { ...context, ...more },
    ).findings.map(({ code }) => code)
  const unseen = 'UNSEEN_PURCHASE'
  test('describes the transfer', () => {
    const inspection = inspectUsdcAuthorization(
      { domain, type: 'ReceiveWithAuthorization', authorization },
      { ...context, address: account.address },
    )
    expect(inspection).toMatchObject({
      kind: 'usdcAuthorization',
      verdict: 'caution',
      findings: [{ code: unseen }],
      digests: {
        eip712: hashUsdcAuthorization({ chainId, type: 'ReceiveWithAuthorization', authorization }),
      },
    })
    expect(inspection.summary).toContain('Sends 4.00 USDC to')
    expect(inspection.summary).toContain('Executed by: the receiver')
    const open = inspectUsdcAuthorization(
      { domain, type: 'TransferWithAuthorization', authorization },
      context,
    )
    expect(open.summary).toContain('Executed by: anyone')
  })
  test('reports problems', () => {
    expect(codes({}, {}, 'TransferWithAuthorization')).toEqual(['ANYONE_CAN_EXECUTE', unseen])
    expect(codes({ to: account.address })).toEqual(['WRONG_RECEIVER', unseen])
    expect(codes({ to: `0x${'00'.repeat(20)}` })).toEqual(['WRONG_RECEIVER', unseen])
    expect(codes({}, { pinned: undefined })).toEqual(['UNPINNED_RECEIVER', unseen])
    expect(codes({}, { address: credits })).toEqual(['WRONG_WALLET', unseen])
    expect(codes({}, { chainId: 1 })).toEqual(['WRONG_CHAIN', unseen])
    expect(codes({ validBefore: BigInt(nowSeconds) })).toEqual(['EXPIRED', unseen])
    expect(codes({ validBefore: 2n ** 256n - 1n })).toEqual(['EXPIRES_TOO_LATE', unseen])
    expect(codes({ validAfter: BigInt(nowSeconds) })).toEqual([unseen, 'NOT_YET_VALID'])
    expect(codes({ value: 0n })).toEqual([unseen, 'ZERO_AMOUNT'])
    expect(codes({ value: 4_000_001n })).toEqual(['ABOVE_CAP', unseen])
    expect(codes({ value: 2n ** 256n - 1n })).toEqual(['ABOVE_CAP', unseen, 'ABSURD_AMOUNT'])
    const uncapped = { maxCents: undefined }
    expect(codes({ value: absurdAmount }, uncapped)).toEqual([unseen])
    expect(codes({ value: absurdAmount + 1n }, uncapped)).toEqual([unseen, 'ABSURD_AMOUNT'])
    expect(codes({ from: `0x${'00'.repeat(20)}` })).toEqual(['WRONG_WALLET', unseen])
    expect(codes({}, { chainId: undefined, pinned: [] })).toEqual([
      'UNPINNED_CHAIN',
      'UNPINNED_RECEIVER',
      unseen,
    ])
  })
  describe('a shop’s pinned test token', () => {
    const token = { address: credits, name: 'Test', version: '1' } as const
    const own = { name: 'Test', version: '1', chainId: 10, verifyingContract: credits } as const
    const judged = (pinned: object[], domain: typeof own = own, isRedeem = false) =>
      usdcDomainFindings(
        domain,
        { pin: undefined, isLinked: false, now, pinned, chainId: domain.chainId } as never, // the function reads only these fields
        { isRedeem },
      ).map(({ code, severity }) => `${severity} ${code}`)

    test.each([
      ['of the chain', [{ chainId: 10, usdc: token }], []],
      ['of every chain', [{ usdc: token }], []],
      ['of the second entry', [{ chainId: 10 }, { chainId: 10, usdc: token }], []],
      ['of another chain', [{ chainId: 8453, usdc: token }], ['warning NOT_USDC']],
      ['that is not pinned', [{ chainId: 10 }], ['warning NOT_USDC']],
    ])('%s', (_, pinned, found) => {
      expect(judged(pinned)).toEqual(found)
    })

    test.each([
      ['USDC', 'danger'],
      ['USD Coin', 'danger'],
      ['usdcoin', 'danger'],
      [' USD ', 'danger'],
      ['Bridged USDC', 'warning'],
      ['USDC.e', 'warning'],
      ['Dai', 'warning'],
    ])('another token with the name %j is a %s', (name, severity) => {
      const domain = { ...own, chainId, name } as never
      expect(judged([], domain)).toEqual([`${severity} NOT_USDC`])
      expect(judged([], domain, true)).toEqual(['danger NOT_USDC'])
    })
  })

  test('another token is not called USDC', () => {
    const inspection = inspectUsdcAuthorization(
      { domain: { ...domain, verifyingContract: credits }, type: 'ReceiveWithAuthorization', authorization },
      context,
    )
    expect(inspection.verdict).toBe('refuse')
    expect(inspection.summary).not.toMatch(/\d USDC/)
  })
})
