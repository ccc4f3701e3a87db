import { TypedDataEncoder } from 'ethers'
import fc from 'fast-check'
import {
  bytesToHex,
  encodeFunctionData,
  encodeFunctionResult,
  type Hex,
  hashTypedData,
  keccak256,
  stringToHex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, inject, test } from 'vitest'
import { creditsAbi } from '../../../../contracts/generated/Credits.ts'
import vector from '../../../../test/vectors/credit-permit.json' with { type: 'json' }
import { BaseError } from '../../core/errors/baseError.ts'
import { absurdAmount } from '../../core/limits.ts'
import { caught } from '../caught.fixture.ts'
import { typedDataJson } from '../signer/toSigner.ts'
import {
  cancelCreditPermit,
  cancelCreditPermitTypedData,
  hashCancelCreditPermit,
} from './cancelCreditPermit.ts'
import {
  type CreditPermit,
  type CreditPermitDomain,
  creditPermitTypedData,
  hashCreditPermit,
  parseCreditPermitMessage,
} from './creditPermit.ts'
import { inspectCreditPermit } from './inspectCreditPermit.ts'
import { commitmentOf, orderKeyOf } from './orderKey.ts'
import { orderState } from './orderState.ts'
import { signCreditPermit, verifyCreditPermit } from './signCreditPermit.ts'

const account = privateKeyToAccount(`0x${'01'.repeat(32)}`)
const domain: CreditPermitDomain = {
  name: 'Credits',
  version: '1',
  chainId: 8453,
  verifyingContract: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
}
const nowSeconds = 1_800_000_000
const now = () => nowSeconds * 1000 + 999
const permit: CreditPermit = {
  customerWallet: account.address,
  creditSeed: 'my-shop',
  amount: 1_030_000n,
  validBefore: BigInt(nowSeconds + 600),
  nonce: '0xb9371f3d684d45668c2446aed1963b73c9a1319707043caa4d50cc6f1323a38d',
}
const fails = (name: string, field?: string) =>
  expect.objectContaining(field === undefined ? { name } : { name, field })

const hexOf = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((value) => bytesToHex(value))
const anyPermit: fc.Arbitrary<CreditPermit> = fc.record({
  customerWallet: hexOf(20),
  creditSeed: fc.string({ unit: 'grapheme', maxLength: 80 }),
  amount: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  validBefore: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
  nonce: hexOf(32),
})
const anyDomain: fc.Arbitrary<CreditPermitDomain> = fc.record({
  name: fc.string({ unit: 'grapheme', maxLength: 40 }),
  version: fc.string({ maxLength: 5 }),
  chainId: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  verifyingContract: hexOf(20),
})

describe('the digest', () => {
  test('of the message in the test vector equals the digest in the vector', () => {
    expect(hashCreditPermit(parseCreditPermitMessage(vector.message))).toBe(vector.digest)
    expect(
      keccak256(stringToHex(TypedDataEncoder.from(ethersTypes).encodeType('CreditsAuthorization'))),
    ).toBe(vector.typehash)
  })
  test('of any permit equals the digests of viem and ethers', () => {
    fc.assert(
      fc.property(anyDomain, anyPermit, (someDomain, somePermit) => {
        const digest = hashCreditPermit({ domain: someDomain, permit: somePermit })
        const typedData = creditPermitTypedData({ domain: someDomain, permit: somePermit })
        expect(hashTypedData(typedData)).toBe(digest)
        expect(TypedDataEncoder.hash(typedData.domain, ethersTypes, typedData.message)).toBe(digest)
      }),
      { numRuns: inject('generatedInputs') },
    )
  })
  test('of any cancellation equals the digests of viem and ethers', () => {
    fc.assert(
      fc.property(anyDomain, hexOf(20), hexOf(32), (someDomain, customerWallet, nonce) => {
        const digest = hashCancelCreditPermit({ domain: someDomain, customerWallet, nonce })
        const typedData = cancelCreditPermitTypedData({ domain: someDomain, customerWallet, nonce })
        expect(hashTypedData(typedData)).toBe(digest)
        const { CancelCreditsAuthorization } = typedData.types
        expect(
          TypedDataEncoder.hash(
            typedData.domain,
            { CancelCreditsAuthorization: [...CancelCreditsAuthorization] },
            typedData.message,
          ),
        ).toBe(digest)
      }),
      { numRuns: inject('generatedInputs') },
    )
  })
  test('changes with every member of the domain', () => {
    const first = hashCreditPermit({ domain, permit })
    for (const other of [
      { ...domain, name: 'Credits1', version: '' },
      { ...domain, name: '', version: '1Credits' },
      { ...domain, version: '11' },
      { ...domain, chainId: 84 },
    ])
      expect(hashCreditPermit({ domain: other, permit })).not.toBe(first)
    // callers without TypeScript can pass this
    const loose = (value: object) => () => hashCreditPermit({ domain: value as never, permit })
    expect(loose({ ...domain, chainId: '8453' })).toThrow(fails('InvalidChainIdError', 'domain.chainId'))
    expect(loose({ ...domain, name: undefined })).toThrow(fails('MissingFieldError', 'domain.name'))
    expect(loose({ ...domain, salt: '0x00' })).toThrow(fails('UnknownFieldError', 'domain.salt'))
  })
})

describe('parseCreditPermitMessage', () => {
  test('reverses typedDataJson', () => {
    fc.assert(
      fc.property(anyDomain, anyPermit, (someDomain, somePermit) => {
        const typedData = creditPermitTypedData({ domain: someDomain, permit: somePermit })
        expect(parseCreditPermitMessage(typedDataJson(typedData))).toEqual({
          domain: typedData.domain,
          permit: typedData.message,
        })
      }),
      { numRuns: inject('generatedInputs') },
    )
  })

  const good = JSON.parse(vector.message)
  const change = (edit: (copy: typeof good) => unknown) => {
    const copy = structuredClone(good)
    edit(copy)
    return JSON.stringify(copy)
  }
  test.each<[string, string, string, string | undefined]>([
    ['not JSON', '<html>', 'InvalidJsonError', 'message'],
    ['empty text', '', 'InvalidJsonError', 'message'],
    ['null', 'null', 'InvalidRecordError', undefined],
    ['a list', '[]', 'InvalidRecordError', undefined],
    [
      'an integer above 2^53',
      vector.message.replace('1030000', '9007199254740993'),
      'UnsafeJsonNumberError',
      'message',
    ],
    ['a fraction', vector.message.replace('1030000', '1.5'), 'InvalidAmountError', 'message.amount'],
    ['a negative amount', vector.message.replace('1030000', '-1'), 'InvalidAmountError', 'message.amount'],
    ['an amount in hex', change((m) => (m.message.amount = '0x10')), 'InvalidAmountError', 'message.amount'],
    [
      'a repeated key',
      vector.message.replace('"amount"', '"amount": 1, "\\u0061mount"'),
      'InvalidJsonError',
      'message',
    ],
    [
      'an amount with a leading zero',
      change((m) => (m.message.amount = '010')),
      'InvalidAmountError',
      'message.amount',
    ],
    [
      'an amount above 2^256',
      change((m) => (m.message.amount = (2n ** 256n).toString())),
      'InvalidAmountError',
      'message.amount',
    ],
    [
      'an amount that is null',
      change((m) => (m.message.amount = null)),
      'InvalidAmountError',
      'message.amount',
    ],
    [
      'a broken checksum',
      change((m) => (m.message.customerWallet = '0x480f8659821A7a5f6209cDA338A53E9Dea09DB46')),
      'InvalidAddressError',
      'message.customerWallet',
    ],
    ['a short nonce', change((m) => (m.message.nonce = '0x1234')), 'InvalidHexError', 'message.nonce'],
    [
      'a nonce that is not hex',
      change((m) => (m.message.nonce = `0x${'zz'.repeat(32)}`)),
      'InvalidHexError',
      'message.nonce',
    ],
    [
      'a seed that is not text',
      change((m) => (m.message.creditSeed = 7)),
      'InvalidTextError',
      'message.creditSeed',
    ],
    [
      'half a surrogate',
      change((m) => (m.message.creditSeed = '\ud800')),
      'InvalidTextError',
      'message.creditSeed',
    ],
    ['a missing seed', change((m) => delete m.message.creditSeed), 'MissingFieldError', 'message.creditSeed'],
    ['an unknown field', change((m) => (m.message.memo = 'x')), 'UnknownFieldError', 'message.memo'],
    ['an unknown field outside', change((m) => (m.extra = 1)), 'UnknownFieldError', 'extra'],
    [
      'an unknown domain field',
      change((m) => (m.domain.salt = `0x${'00'.repeat(32)}`)),
      'UnknownFieldError',
      'domain.salt',
    ],
    ['no chain', change((m) => delete m.domain.chainId), 'MissingFieldError', 'domain.chainId'],
    ['chain 0', change((m) => (m.domain.chainId = 0)), 'InvalidChainIdError', 'domain.chainId'],
    [
      'no contract',
      change((m) => delete m.domain.verifyingContract),
      'MissingFieldError',
      'domain.verifyingContract',
    ],
    ['no message', change((m) => delete m.message), 'MissingFieldError', 'message'],
    [
      'a different primary type',
      change((m) => (m.primaryType = 'CancelCreditsAuthorization')),
      'UnknownTypedDataError',
      'types',
    ],
    ['no types', change((m) => delete m.types), 'UnknownTypedDataError', 'types'],
    ['no domain type', change((m) => delete m.types.EIP712Domain), 'UnknownTypedDataError', 'types'],
    [
      'domain members in the wrong order',
      change((m) => m.types.EIP712Domain.reverse()),
      'UnknownTypedDataError',
      'types',
    ],
    [
      'members in the wrong order',
      change((m) => m.types.CreditsAuthorization.reverse()),
      'UnknownTypedDataError',
      'types',
    ],
    [
      'a member of the wrong type',
      change((m) => (m.types.CreditsAuthorization[2].type = 'uint128')),
      'UnknownTypedDataError',
      'types',
    ],
    [
      'an extra member',
      change((m) => m.types.CreditsAuthorization.push({ name: 'x', type: 'bool' })),
      'UnknownTypedDataError',
      'types',
    ],
    ['an extra type', change((m) => (m.types.Other = [])), 'UnknownTypedDataError', 'types'],
    [
      'a member that is null',
      change((m) => (m.types.CreditsAuthorization[0] = null)),
      'UnknownTypedDataError',
      'types',
    ],
  ])('%s', (_, text, name, field) => {
    expect(() => parseCreditPermitMessage(text)).toThrow(fails(name, field))
  })

  test('accepts integers as JSON numbers and as decimal text', () => {
    const asText = parseCreditPermitMessage(change((m) => (m.message.amount = '1030000')))
    expect(asText).toEqual(parseCreditPermitMessage(vector.message))
    expect(parseCreditPermitMessage(change((m) => (m.domain.chainId = '42431')))).toEqual(asText)
    expect(parseCreditPermitMessage(change((m) => (m.message.validBefore = 1777483839)))).toEqual(asText)
  })

  test('names the fields of a layout that is not supported', () => {
    const text = change((m) => {
      m.types.CreditsAuthorization = [
        { name: 'customerWallet', type: 'address' },
        { name: 'merchantId', type: 'string' },
        { name: 'subtotalCents', type: 'uint256' },
        { name: 'nonce', type: 'string' },
      ]
      m.message = { customerWallet: account.address, merchantId: 'shop', subtotalCents: 100, nonce: 'n-1' }
    })
    const error = caught(() => parseCreditPermitMessage(text))
    expect(error).toMatchObject({
      name: 'UnknownTypedDataError',
      fields: ['address customerWallet', 'string merchantId', 'uint256 subtotalCents', 'string nonce'],
    })
    expect(String(error)).toContain('uint256 subtotalCents')
  })

  test.each([
    [
      'a name that cannot be converted to text',
      '{"primaryType":"X","types":{"X":[{"type":{"toString":1},"name":"a"}]}}',
    ],
    [
      'a deeply nested name',
      `{"primaryType":"X","types":{"X":[{"name":${'['.repeat(9e4)}${']'.repeat(9e4)}}]}}`,
    ],
  ])('%s is an unknown layout', (_, text) => {
    expect(() => parseCreditPermitMessage(text)).toThrow(
      expect.objectContaining({ name: 'UnknownTypedDataError', field: 'types' }),
    )
  })

  test.each(['[]', '7', 'null', '"a"'])('%s is not typed data, and the error names the field', (text) => {
    expect(() => parseCreditPermitMessage(text)).toThrow(
      expect.objectContaining({ name: 'InvalidRecordError', field: 'message' }),
    )
  })

  test('refuses all other input with a redeemkit error', () => {
    const paths = ['domain', 'types', 'primaryType', 'message', 'name', 'chainId', 'amount', 'nonce']
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), mutated(good)), (text) => {
        const error = caught(() => parseCreditPermitMessage(text))
        if (error !== undefined) expect(error).toBeInstanceOf(BaseError)
      }),
      {
        numRuns: inject('generatedInputs'),
        examples: paths.map((path) => [JSON.stringify({ [path]: null })]),
      },
    )
  })
})

describe('signCreditPermit and verifyCreditPermit', () => {
  test('agree on a signature, which is invalid after any field changes', async () => {
    const signature = await signCreditPermit(account, { domain, permit, now })
    expect(signature).toBe(await account.signTypedData(creditPermitTypedData({ domain, permit })))
    expect(await verifyCreditPermit({ domain, permit, signature })).toBe(true)
    const permits: Partial<CreditPermit>[] = [
      { customerWallet: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' },
      { creditSeed: 'my-shop2' },
      { amount: 1_030_001n },
      { validBefore: permit.validBefore + 1n },
      { nonce: `${permit.nonce.slice(0, -1)}e` as Hex },
    ]
    for (const other of permits)
      expect(await verifyCreditPermit({ domain, permit: { ...permit, ...other }, signature })).toBe(false)
    const domains: Partial<CreditPermitDomain>[] = [
      { name: 'Credit' },
      { version: '2' },
      { chainId: 1 },
      { verifyingContract: account.address },
    ]
    for (const other of domains)
      expect(await verifyCreditPermit({ domain: { ...domain, ...other }, permit, signature })).toBe(false)
    for (const index of [2, 60, 66, 100, 130]) {
      const digit = signature.charAt(index) === '1' ? '2' : '1'
      const broken = `${signature.slice(0, index)}${digit}${signature.slice(index + 1)}` as Hex
      expect(await verifyCreditPermit({ domain, permit, signature: broken })).toBe(false)
    }
    for (const broken of [
      '0x',
      '0x00',
      `${signature}00`,
      `0x${'00'.repeat(65)}`,
      `0x${'ff'.repeat(64)}`,
    ] as const)
      expect(await verifyCreditPermit({ domain, permit, signature: broken })).toBe(false)
    await expect(verifyCreditPermit({ domain, permit, signature: '0xzz' })).rejects.toThrow(
      fails('InvalidHexError', 'signature'),
    )
  })

  test.each<[number, string | undefined]>([
    [0, 'ExpiredError'],
    [-1, 'ExpiredError'],
    [29, 'ExpiredError'],
    [30, 'ExpiredError'],
    [31, undefined],
    [3599, undefined],
    [3600, undefined],
    [3601, 'TooFarAheadError'],
  ])('require an expiry of 31 to 3600 s ahead: %i s', async (seconds, name) => {
    const asked = signCreditPermit(account, {
      domain,
      permit: { ...permit, validBefore: BigInt(nowSeconds + seconds) },
      now,
    })
    if (name === undefined) await expect(asked).resolves.toMatch(/^0x/)
    else await expect(asked).rejects.toThrow(fails(name, 'permit.validBefore'))
  })

  test.each<[string, Partial<Record<keyof CreditPermit, unknown>>, string, string]>([
    [
      'the zero wallet',
      { customerWallet: `0x${'00'.repeat(20)}` },
      'InvalidAddressError',
      'permit.customerWallet',
    ],
    [
      'the wallet of another account',
      { customerWallet: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266' },
      'WrongSignerError',
      'permit.customerWallet',
    ],
    [
      'a name instead of a wallet',
      { customerWallet: 'alice.eth' },
      'InvalidAddressError',
      'permit.customerWallet',
    ],
    ['a huge amount', { amount: 2n ** 256n }, 'InvalidAmountError', 'permit.amount'],
    ['a negative amount', { amount: -1n }, 'InvalidAmountError', 'permit.amount'],
    ['an amount as a number', { amount: 1030000 }, 'InvalidAmountError', 'permit.amount'],
    ['an amount as text', { amount: '1030000' }, 'InvalidAmountError', 'permit.amount'],
    ['31 bytes of nonce', { nonce: `0x${'11'.repeat(31)}` }, 'InvalidHexError', 'permit.nonce'],
    ['a numeric nonce', { nonce: 1n }, 'InvalidHexError', 'permit.nonce'],
    ['half a surrogate', { creditSeed: 'a\udc00' }, 'InvalidTextError', 'permit.creditSeed'],
    ['a missing seed', { creditSeed: undefined }, 'MissingFieldError', 'permit.creditSeed'],
    ['an unknown field', { memo: 'x' } as never, 'UnknownFieldError', 'permit.memo'],
  ])('refuses %s', async (_, other, name, field) => {
    let asked = 0
    const watched = {
      ...account,
      sign: async () => `0x${++asked}` as Hex,
      signTypedData: async () => `0x${++asked}` as Hex,
    }
    await expect(
      // callers without TypeScript can pass this
      signCreditPermit(watched, { domain, permit: { ...permit, ...other } as CreditPermit, now }),
    ).rejects.toThrow(fails(name, field))
    expect(asked).toBe(0)
  })

  test('only the wallet itself can sign a cancellation', async () => {
    const options = { domain, customerWallet: account.address, nonce: permit.nonce }
    expect(await cancelCreditPermit(account, options)).toBe(
      await account.signTypedData(cancelCreditPermitTypedData(options)),
    )
    await expect(
      cancelCreditPermit(account, { ...options, customerWallet: domain.verifyingContract }),
    ).rejects.toThrow(fails('WrongSignerError', 'customerWallet'))
  })
})

describe('inspectCreditPermit', () => {
  const pins = { chainId: 8453, creditsContract: domain.verifyingContract, creditSeed: 'my-shop' }
  const codes = (edit: object, context: object = {}) =>
    inspectCreditPermit(
      { domain, permit: { ...permit, ...edit } },
      { pinned: [pins], now, chainId: 8453, maxCents: 103, ...context },
    ).findings.map(({ code }) => code)
  const unseen = 'UNSEEN_PURCHASE'
  test('describes the permit', () => {
    const inspection = inspectCreditPermit(
      { domain, permit },
      { pinned: [pins], now, address: account.address, chainId: 8453, maxCents: 103 },
    )
    expect(inspection).toMatchObject({
      kind: 'creditPermit',
      verdict: 'caution',
      findings: [{ code: unseen }],
      details: { intentBound: true },
      digests: { eip712: hashCreditPermit({ domain, permit }) },
    })
    expect(inspection.summary).toContain('spend up to $1.03 of the "my-shop" credits')
  })
  test('reports problems', () => {
    expect(codes({ validBefore: BigInt(nowSeconds) })).toEqual(['EXPIRED', unseen])
    expect(codes({ validBefore: BigInt(nowSeconds + 30) })).toEqual(['EXPIRES_TOO_SOON', unseen])
    expect(codes({ validBefore: BigInt(nowSeconds + 3601) })).toEqual(['EXPIRES_TOO_LATE', unseen])
    expect(codes({ validBefore: 2n ** 256n - 1n })).toEqual(['EXPIRES_TOO_LATE', unseen])
    expect(codes({ creditSeed: 'other' })).toEqual(['WRONG_CREDIT_SEED', unseen])
    expect(codes({ nonce: `0x7f${'ff'.repeat(31)}` })).toEqual(['UNBOUND_NONCE', unseen])
    expect(codes({ amount: 2n ** 255n })).toEqual(['ABOVE_CAP', unseen, 'ABSURD_AMOUNT'])
    const uncapped = { maxCents: undefined }
    expect(codes({ amount: absurdAmount }, uncapped)).toEqual([unseen])
    expect(codes({ amount: absurdAmount + 1n }, uncapped)).toEqual([unseen, 'ABSURD_AMOUNT'])
    expect(codes({ amount: 1_030_001n })).toEqual(['ABOVE_CAP', unseen])
    expect(codes({ customerWallet: `0x${'00'.repeat(20)}` })).toEqual(['WRONG_WALLET', unseen])
    expect(codes({}, { address: domain.verifyingContract })).toEqual(['WRONG_WALLET', unseen])
    expect(codes({}, { chainId: 1 })).toEqual(['WRONG_CHAIN', unseen])
    expect(codes({}, { pinned: undefined })).toEqual(['UNPINNED_CONTRACT', unseen])
    const pinning = (more: object) => codes({}, { pinned: [{ ...pins, ...more }] })
    expect(pinning({ creditsContract: account.address })).toEqual(['UNPINNED_CONTRACT', unseen])
    expect(pinning({ domainName: 'Other' })).toEqual(['WRONG_DOMAIN_NAME', unseen])
    expect(pinning({ domainVersion: '2' })).toEqual(['WRONG_DOMAIN_VERSION', unseen])
    expect(pinning({ chainId: 1 })).toEqual(['WRONG_CHAIN', unseen])
    expect(pinning({ creditSeed: undefined })).toEqual(['UNPINNED_CREDIT_SEED', unseen])
    expect(pinning({ chainId: undefined })).toEqual(['UNPINNED_CHAIN', unseen])
    expect(codes({}, { chainId: undefined, pinned: [] })).toEqual([
      'UNPINNED_CHAIN',
      'UNPINNED_CONTRACT',
      unseen,
    ])
  })
  test.each<[string, object]>([
    ['maxCents', { maxCents: Number.NaN }],
    ['pinned.maxGasFeeCents', { pinned: [{ ...pins, maxGasFeeCents: '5' }] }],
    ['pinned.usdc.name', { pinned: [{ ...pins, usdc: { address: account.address } }] }],
    ['pinned.usdc.address', { pinned: [{ ...pins, usdc: { address: '0x12', name: 'USDC' } }] }],
    ['known', { known: { '0x12': 'Shop' } }],
    ['known', { known: { [account.address]: 7 } }],
    ['signedPermits.chainId', { signedPermits: [{ nonce: permit.nonce, chainId: '1' }] }],
    ['signedPermits.isUsed', { signedPermits: [{ nonce: permit.nonce, isUsed: 'no' }] }],
  ])('names %s of an invalid context', (field, context) => {
    expect(() => codes({}, context)).toThrow(expect.objectContaining({ field }))
  })
})

const ethersTypes = {
  CreditsAuthorization: [
    { name: 'customerWallet', type: 'address' },
    { name: 'creditSeed', type: 'string' },
    { name: 'amount', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
}

/** Generates JSON of a valid record with one value replaced. */
function mutated(record: object): fc.Arbitrary<string> {
  const paths: string[][] = []
  const walk = (value: unknown, path: string[]) => {
    if (path.length > 0) paths.push(path)
    if (typeof value === 'object' && value !== null)
      for (const [key, inner] of Object.entries(value)) walk(inner, [...path, key])
  }
  walk(record, [])
  return fc
    .tuple(fc.constantFrom(...paths), fc.oneof(fc.jsonValue(), fc.bigInt().map(String)))
    .map(([path, value]) => {
      const copy = structuredClone(record)
      let target = copy as Record<string, unknown>
      for (const key of path.slice(0, -1)) target = target[key] as Record<string, unknown>
      target[path.at(-1) ?? ''] = value
      return JSON.stringify(copy)
    })
}

// viem hashes these inputs without an error, so the wallet would sign different values than the page shows
describe('an input that viem would hash without an error is refused:', () => {
  const typedData = creditPermitTypedData({ domain, permit })
  const viemHash = (changed: object, other: object) =>
    hashTypedData({
      ...typedData,
      domain: { ...domain, ...changed },
      message: { ...permit, ...other },
    } as never)
  const hash = (changed: object, other: object) => () =>
    hashCreditPermit({
      domain: { ...domain, ...changed } as never,
      permit: { ...permit, ...other } as never,
    })
  const withoutDomainType = (changed: object) =>
    hashTypedData({
      ...typedData,
      types: { CreditsAuthorization: typedData.types.CreditsAuthorization },
      domain: { ...domain, ...changed },
    } as never)

  test('an amount as text', () => {
    expect(viemHash({}, { amount: '1030000' })).toBe(hashTypedData(typedData))
    expect(hash({}, { amount: '1030000' })).toThrow(fails('InvalidAmountError', 'permit.amount'))
  })
  test('an amount as a number', () => {
    expect(viemHash({}, { amount: 1_030_000 })).toBe(hashTypedData(typedData))
    expect(hash({}, { amount: 1_030_000 })).toThrow(fails('InvalidAmountError', 'permit.amount'))
  })
  test('an extra field', () => {
    expect(viemHash({}, { tip: 1n })).toBe(hashTypedData(typedData))
    expect(hash({}, { tip: 1n })).toThrow(fails('UnknownFieldError', 'permit.tip'))
  })
  test('a missing chain id', () => {
    expect(withoutDomainType({ chainId: undefined })).toMatch(/^0x[0-9a-f]{64}$/)
    expect(hash({ chainId: undefined }, {})).toThrow(fails('MissingFieldError', 'domain.chainId'))
  })
})

describe('orderState', () => {
  const key = {
    creditsContract: domain.verifyingContract,
    wallet: account.address,
    orderKey: orderKeyOf(permit.nonce),
  }
  const commitment = commitmentOf(permit.nonce)
  const answerOf = (state: number) =>
    encodeFunctionResult({
      abi: creditsAbi,
      functionName: 'orderState',
      result: [state, commitment, nowSeconds],
    })
  const nodeOf = (answer: () => unknown) => {
    const asked: unknown[] = []
    return {
      asked,
      request: async ({ method, params }: { method: string; params?: unknown }) => {
        asked.push([method, params])
        return answer()
      },
    }
  }

  test.each(['unused', 'redeemed', 'cancelled'] as const)(
    'reads the state %s from a response that viem encoded',
    async (state) => {
      const node = nodeOf(() => answerOf(['unused', 'redeemed', 'cancelled'].indexOf(state)))
      const timestamp = BigInt(nowSeconds)
      expect(await orderState(node, key)).toEqual({ state, commitment, timestamp })
      const { wallet, orderKey } = key
      const data = encodeFunctionData({
        abi: creditsAbi,
        functionName: 'orderState',
        args: [wallet, orderKey],
      })
      expect(node.asked).toEqual([['eth_call', [{ to: key.creditsContract, data }, 'latest']]])
    },
  )

  test('calls the contract at the given block', async () => {
    const node = nodeOf(() => answerOf(0))
    await orderState(node, { ...key, blockNumber: 255n })
    expect(node.asked).toEqual([['eth_call', [expect.anything(), '0xff']]])
  })

  test.each<[string, () => unknown, string]>([
    ['an empty response', () => '0x', 'returned "0x".'],
    ['a revert', () => Promise.reject({ code: 3, message: 'execution reverted' }), 'orderState reverted.'],
    ['an unknown state', () => answerOf(3), 'returned text of 194 characters.'],
    ['a missing word', () => answerOf(0).slice(0, -64), 'returned text of 130 characters.'],
    ['an extra word', () => `${answerOf(0)}${'0'.repeat(64)}`, 'returned text of 258 characters.'],
  ])('refuses %s, which no credits contract returns', async (_, answer, text) => {
    await expect(orderState(nodeOf(answer), key)).rejects.toThrow(
      expect.objectContaining({
        name: 'ChainReadError',
        field: 'creditsContract',
        shortMessage: expect.stringContaining(text),
      }),
    )
  })
})
