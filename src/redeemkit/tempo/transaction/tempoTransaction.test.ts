import fc from 'fast-check'
import { Secp256k1, Signature } from 'ox'
import { SignatureEnvelope, TxEnvelopeTempo } from 'ox/tempo'
import { type Address, fromRlp, type Hex, keccak256, numberToHex, size, toRlp } from 'viem'
import { Transaction } from 'viem/tempo'
import { describe, expect, inject, test } from 'vitest'
import vectors from '../../../../test/vectors/tempo.json' with { type: 'json' }
import {
  alpha,
  customer,
  now,
  passkey,
  seconds,
  shop,
  sponsor,
  token,
  transactionOf,
} from '../tempo.fixture.ts'
import { buildTempoTransaction } from './buildTempoTransaction.ts'
import { inspectTempoTransaction } from './inspectTempoTransaction.ts'
import { parseTempoTransaction } from './parseTempoTransaction.ts'
import {
  hashTempoFeePayer,
  hashTempoTransaction,
  serializeTempoTransaction,
} from './serializeTempoTransaction.ts'
import { signTempoTransaction, sponsorTempoTransaction } from './signTempoTransaction.ts'
import type { TempoTransaction } from './tempoTransaction.ts'
import type { TempoTransactionExpectation } from './tempoTransactionExpectation.ts'

const calls = [{ to: token, data: '0xa9059cbb' as Hex }] as const

const transaction = transactionOf(calls)
const serialized = serializeTempoTransaction(transaction)
type Tree = Hex | Tree[]
function respelled(change: (fields: Tree[]) => Tree[]): Hex {
  const fields = fromRlp(`0x${serialized.slice(4)}`, 'hex') as Tree[]
  return `0x76${toRlp(change(fields)).slice(2)}`
}
const at = (fields: Tree[], index: number, field: Tree) => fields.map((old, i) => (i === index ? field : old))
const expectation = (account: Address): TempoTransactionExpectation & { maxFee: bigint } => ({
  chainId: 42431,
  account,
  calls,
  maxFee: 20_000n,
  now,
})
const dangersOf = async (tx: TempoTransaction, expected: Partial<TempoTransactionExpectation> = {}) => {
  const all = { ...expectation(customer.address), ...expected }
  const { findings, verdict } = await inspectTempoTransaction(serializeTempoTransaction(tx), all)
  const dangers = findings.filter((finding) => finding.severity === 'danger')
  expect(verdict === 'refuse').toBe(dangers.length > 0)
  return dangers.map((finding) => finding.code)
}

describe('the codec', () => {
  test.each(vectors.transactions)(
    'parses and encodes the published transaction: $name',
    ({ serialized, digest }) => {
      const parsed = parseTempoTransaction(serialized as Hex)
      expect(serializeTempoTransaction(parsed)).toBe(serialized)
      if (digest !== undefined) expect(hashTempoTransaction(parsed)).toBe(digest)
    },
  )

  test('keeps key authorizations and account delegations, which an inspection always reports', async () => {
    const of = (name: string) =>
      parseTempoTransaction(vectors.transactions.find((row) => row.name === name)?.serialized as Hex)
    const asked = { chainId: 1, calls: [{ to: shop, data: '0x' as Hex }], sponsored: false } as const
    expect(await dangersOf(of('with a key authorization'), asked)).toContain('KEY_AUTHORIZATION')
    expect(await dangersOf(of('with account delegations'), asked)).toContain('ACCOUNT_DELEGATION')
  })

  const word = fc.bigInt(0n, 2n ** 64n - 1n)
  const bytes = fc.uint8Array({ maxLength: 80 }).map(hexOf)
  const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map(hexOf)
  const arbitrary = fc.record({
    chainId: fc.constantFrom(4217, 42431, 1),
    maxPriorityFeePerGas: word,
    extra: word,
    gas: word,
    calls: fc.array(fc.record({ to: address, value: word, data: bytes }), { minLength: 1, maxLength: 4 }),
    nonceKey: fc.bigInt(0n, 2n ** 192n),
    nonce: word,
    validBefore: fc.option(fc.bigInt(2n ** 31n, 2n ** 40n), { nil: undefined }),
    validAfter: fc.option(fc.bigInt(1n, 2n ** 30n), { nil: undefined }),
    feeToken: fc.option(address, { nil: undefined }),
    sponsored: fc.boolean(),
  })

  test('gives the same bytes and digests as ox', () => {
    fc.assert(
      fc.property(arbitrary, (value) => {
        const { extra, feeToken, ...rest } = value
        const maxFeePerGas = value.maxPriorityFeePerGas + extra
        const ours = {
          ...rest,
          maxFeePerGas,
          ...(feeToken === undefined ? {} : { feeToken }),
        } as TempoTransaction
        const theirs = TxEnvelopeTempo.from({
          ...rest,
          maxFeePerGas,
          validBefore: rest.validBefore === undefined ? undefined : Number(rest.validBefore),
          validAfter: rest.validAfter === undefined ? undefined : Number(rest.validAfter),
          calls: rest.calls.map((call) => ({ ...call })),
          ...(feeToken === undefined || rest.sponsored ? {} : { feeToken }),
          ...(rest.sponsored ? { feePayerSignature: null } : {}),
        } as never)
        const unsigned = ours.sponsored ? { ...ours, feeToken: undefined } : ours
        expect(serializeTempoTransaction(unsigned)).toBe(
          TxEnvelopeTempo.serialize(theirs as never).toLowerCase(),
        )
        expect(hashTempoTransaction(ours)).toBe(TxEnvelopeTempo.getSignPayload(theirs as never))
        const sender = customer.address
        expect(hashTempoFeePayer(ours, { sender })).toBe(
          TxEnvelopeTempo.getFeePayerSignPayload({ ...(theirs as object), feeToken } as never, { sender }),
        )
        const text = serializeTempoTransaction(ours)
        expect(serializeTempoTransaction(parseTempoTransaction(text))).toBe(text)
      }),
      { numRuns: 1_000 },
    )
  })

  test('refuses random bytes with InvalidTransactionError, or encodes them back to the same bytes', () => {
    const mutated = fc.tuple(fc.nat(size(serialized) - 1), fc.nat(255)).map(([index, byte]) => {
      const at = 2 + 2 * index
      return `${serialized.slice(0, at)}${byte.toString(16).padStart(2, '0')}${serialized.slice(at + 2)}` as Hex
    })
    const noise = fc.uint8Array({ maxLength: 120 }).map((value) => `0x76${hexOf(value).slice(2)}` as Hex)
    let taken = 0
    fc.assert(
      fc.property(fc.oneof(mutated, noise, fc.string() as fc.Arbitrary<Hex>), (text) => {
        try {
          const parsed = parseTempoTransaction(text)
          taken += 1
          expect(serializeTempoTransaction(parsed)).toBe(text)
        } catch (error) {
          expect(error).toMatchObject({ name: 'InvalidTransactionError' })
        }
      }),
      { numRuns: inject('generatedInputs') },
    )
    expect(taken).toBeGreaterThan(inject('generatedInputs') / 20)
  })

  test.each([
    ['a trailing byte', `${serialized}00`],
    ['a missing byte', serialized.slice(0, -2)],
    ['only the type byte', '0x76'],
    ['an empty list', '0x76c0'],
    ['another type', serialized.replace('0x76', '0x02')],
    ['a missing field', respelled((fields) => fields.slice(0, 12))],
    ['three additional fields', respelled((fields) => [...fields, '0x12', '0x34', '0x56'])],
    ['a number with a leading zero', respelled((fields) => at(fields, 7, '0x0003'))],
    [
      'a fee payer that is neither a placeholder nor a signature',
      respelled((fields) => at(fields, 11, '0x01')),
    ],
    ['a fee token of 19 bytes', respelled((fields) => at(fields, 10, `0x${'11'.repeat(19)}`))],
    ['a call of two fields', respelled((fields) => at(fields, 4, [[token, '0x']]))],
    ['calls that are not a list', respelled((fields) => at(fields, 4, '0x'))],
    ['an empty chain id', respelled((fields) => at(fields, 0, '0x'))],
    ['a zero validBefore, which every node rejects', respelled((fields) => at(fields, 8, '0x00'))],
    ['a zero validAfter, which every node rejects', respelled((fields) => at(fields, 9, '0x00'))],
    [
      "a sponsor's signature with a high s",
      respelled((fields) => at(fields, 11, ['0x', '0x01', `0x${'ff'.repeat(16)}${'00'.repeat(16)}`])),
    ],
  ])('refuses %s', (_, text) => {
    try {
      parseTempoTransaction(text as Hex)
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({ name: 'InvalidTransactionError' })
    }
  })
})

describe('buildTempoTransaction', () => {
  const good = { chainId: 42431, calls, gas: 1n, maxFeePerGas: 1n, nonce: 0n }
  test.each([
    ['another chain', { chainId: 8453 }, 'chainId'],
    ['no call', { calls: [] }, 'calls'],
    ['the zero address', { calls: [{ to: `0x${'00'.repeat(20)}`, data: '0x' }] }, 'calls.0.to'],
    ['half a byte', { calls: [{ to: token, data: '0x1' }] }, 'calls.0.data'],
    ['negative gas', { gas: -1n }, 'gas'],
    ['gas as a number', { gas: 21000 }, 'gas'],
    ['gas above 64 bits', { gas: 2n ** 64n }, 'gas'],
    ['a fee above 128 bits', { maxFeePerGas: 2n ** 128n }, 'maxFeePerGas'],
    ['a priority fee above the fee', { maxPriorityFeePerGas: 2n }, 'maxPriorityFeePerGas'],
    ['never valid', { validAfter: 5n, validBefore: 5n }, 'validBefore'],
    ['a zero validBefore', { validBefore: 0n }, 'validBefore'],
    ['a fee that the sender pays without a fee token', { sponsored: false }, 'feeToken'],
    ['a string instead of a boolean', { sponsored: 'false' }, 'sponsored'],
    ['calls that are not a list', { calls: undefined }, 'calls'],
    ['an invalid call', { calls: [null] }, 'calls.0'],
  ])('refuses %s', (_, change, field) => {
    try {
      buildTempoTransaction({ ...good, ...change } as never)
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({ field })
    }
  })
})

test('buildTempoTransaction omits a validAfter of 0', () => {
  const { validBefore: _validBefore, ...rest } = transaction
  expect(buildTempoTransaction({ ...rest, calls, validAfter: 0n })).toEqual(rest)
})

describe('serializing and hashing refuse', () => {
  const v = (byte: string): Hex => `0x${'11'.repeat(64)}${byte}`
  test.each<[string, object, string]>([
    ['a chain id that is a string', { chainId: '42431' }, 'chainId'],
    ['chain 0', { chainId: 0 }, 'chainId'],
    ['a negative nonce', { nonce: -1n }, 'nonce'],
    ['a nonce above 64 bits', { nonce: 2n ** 64n }, 'nonce'],
    ['a nonce key that is a string', { nonceKey: '5' }, 'nonceKey'],
    ['gas that is not a whole number', { gas: 1.5 }, 'gas'],
    ['no call', { calls: [] }, 'calls'],
    ['calls that are not a list', { calls: 'x' }, 'calls'],
    ['an invalid call', { calls: [undefined] }, 'calls.0'],
    ['a short target', { calls: [{ to: '0x12', value: 0n, data: '0x' }] }, 'calls.to'],
    ['a call without a value', { calls: [{ to: token, data: '0x' }] }, 'calls.0.value'],
    ['invalid data', { calls: [{ to: token, value: 0n, data: 'zz' }] }, 'calls.0.data'],
    ['a string instead of a boolean', { sponsored: 'false' }, 'sponsored'],
    ['a zero validBefore', { validBefore: 0n }, 'validBefore'],
    ['a zero validAfter', { validAfter: 0n }, 'validAfter'],
    ['an invalid access list', { accessList: 5 }, 'accessList'],
    ['an access list whose items are not bytes', { accessList: [['zz']] }, 'accessList'],
  ])('%s', (_, change, field) => {
    const wrong = { ...transaction, ...change }
    for (const write of [
      () => serializeTempoTransaction(wrong),
      () => hashTempoTransaction(wrong),
      () => hashTempoFeePayer(wrong, { sender: customer.address }),
    ])
      expect(write).toThrow(expect.objectContaining({ field }))
  })

  test.each<[string, unknown]>([
    ['v of 0', v('00')],
    ['v of 1', v('01')],
    ['64 bytes', `0x${'11'.repeat(64)}`],
    ['a high s', `0x${'11'.repeat(32)}${'ff'.repeat(16)}${'00'.repeat(16)}1b`],
    ['a P-256 signature', `0x01${'11'.repeat(64)}${'11'.repeat(64)}00`],
    ['text', 'zz'],
  ])("a sponsor's signature that is not in canonical form: %s", (_, feePayerSignature) => {
    const wrong = { ...transaction, feePayerSignature } as TempoTransaction
    expect(() => serializeTempoTransaction(wrong)).toThrow(
      expect.objectContaining({ name: 'InvalidTransactionError', field: 'feePayerSignature' }),
    )
  })

  test.each([27, 28])("but not a sponsor's signature with v %d", (value) => {
    const feePayerSignature = v(value.toString(16))
    const text = serializeTempoTransaction({ ...transaction, feePayerSignature })
    expect(parseTempoTransaction(text)).toMatchObject({ feePayerSignature })
  })
})

describe('every function refuses missing or malformed input:', () => {
  const typed = { name: expect.stringMatching(/^(?:Invalid|Missing|Wallet|TempoTransaction)\w+Error$/) }
  test.each([undefined, null, {}, [], 'x', 5])('%j', async (nothing) => {
    const expected = expectation(customer.address)
    const none = nothing as never
    for (const call of [
      () => buildTempoTransaction(none),
      () => serializeTempoTransaction(none),
      () => parseTempoTransaction(none),
      () => hashTempoTransaction(none),
      () => hashTempoFeePayer(none, { sender: customer.address }),
      () => hashTempoFeePayer(transaction, none),
    ])
      expect(call).toThrow(expect.objectContaining(typed))
    for (const answer of [
      inspectTempoTransaction(serialized, none),
      signTempoTransaction(customer, none),
      signTempoTransaction(customer, { serialized, expected: none }),
      signTempoTransaction(none, { serialized, expected }),
      sponsorTempoTransaction(sponsor, none),
      sponsorTempoTransaction(sponsor, { serialized, feeToken: token, expected: none }),
      sponsorTempoTransaction(none, { serialized, feeToken: token, expected }),
    ])
      await expect(answer).rejects.toMatchObject(typed)
  })
})

describe('inspectTempoTransaction', () => {
  test('returns ok for a transaction that matches the expectation', async () => {
    const { verdict, summary, details } = await inspectTempoTransaction(
      serialized,
      expectation(customer.address),
    )
    expect(verdict).toBe('ok')
    expect(details.maxFee).toBe(20_000n)
    expect(summary).toContain('Network fee, at most: $0.02')
  })

  const call = { to: token, value: 0n, data: '0xa9059cbb' } as const
  test.each<[string, Partial<TempoTransaction>, string]>([
    ['another chain', { chainId: 4217 }, 'WRONG_CHAIN'],
    ['another target', { calls: [{ ...call, to: alpha }] }, 'WRONG_TARGET'],
    ['other data', { calls: [{ ...call, data: '0xa9059cbc' }] }, 'WRONG_DATA'],
    ['value', { calls: [{ ...call, value: 1n }] }, 'UNEXPECTED_VALUE'],
    ['an additional call', { calls: [call, call] }, 'CALL_COUNT'],
    ['a creation', { calls: [{ value: 0n, data: '0xa9059cbb' }] }, 'CONTRACT_CREATION'],
    ['no sponsorship', { sponsored: false }, 'NOT_SPONSORED'],
    ['more gas', { gas: 1_000_001n }, 'FEE_TOO_HIGH'],
    ['a higher fee', { maxFeePerGas: 20_000_000_001n }, 'FEE_TOO_HIGH'],
    ['an expired transaction', { validBefore: seconds }, 'EXPIRED'],
    ['a transaction that is not valid yet', { validAfter: seconds + 1n }, 'NOT_YET_VALID'],
    ['an access list', { accessList: [[token, []]] }, 'ACCESS_LIST'],
    ['a delegation', { authorizationList: [['0x01', token, '0x', '0x1234']] }, 'ACCOUNT_DELEGATION'],
    ['a key authorization', { keyAuthorization: [['0x01', '0x', token], '0x1234'] }, 'KEY_AUTHORIZATION'],
    ['another nonce', { nonce: 4n }, 'WRONG_NONCE'],
    ['another nonce key', { nonceKey: 4n }, 'WRONG_NONCE_KEY'],
    ['another fee token', { feeToken: alpha }, 'WRONG_FEE_TOKEN'],
    [
      'a signature from which no key can be recovered',
      { signature: `0x${'11'.repeat(64)}1b` },
      'WRONG_SIGNATURE',
    ],
    [
      'a sponsor signature from which no key can be recovered',
      { feePayerSignature: `0x${'05'.padStart(64, '0')}${'01'.padStart(64, '0')}1b` },
      'WRONG_FEE_PAYER',
    ],
  ])('refuses %s', async (_, change, code) => {
    const expected = { nonce: 3n, nonceKey: 0n, feeToken: token } as const
    expect(await dangersOf({ ...transaction, ...change }, expected)).toContain(code)
    expect(await dangersOf(transaction, expected)).toEqual([])
  })

  test('refuses a transaction at its validBefore and later', async () => {
    const at = (validBefore: bigint) => dangersOf({ ...transaction, validBefore })
    expect(await at(seconds - 1n)).toEqual(['EXPIRED'])
    expect(await at(seconds)).toEqual(['EXPIRED'])
    expect(await at(seconds + 1n)).toEqual([])
  })

  test('limits a fee that the customer pays to 1 USD by default, and compares its token', async () => {
    const own: TempoTransaction = { ...transaction, sponsored: false, feeToken: token }
    const { feeToken: _feeToken, ...anyToken } = own
    const asked = { sponsored: false, feeToken: token, maxFee: undefined } as const
    expect(await dangersOf(own, asked)).toEqual([])
    expect(await dangersOf({ ...own, gas: 50_000_000n }, asked)).toEqual([])
    expect(await dangersOf({ ...own, gas: 50_000_001n }, asked)).toEqual(['FEE_TOO_HIGH'])
    expect(await dangersOf(anyToken, asked)).toEqual(['WRONG_FEE_TOKEN'])
    expect(await dangersOf({ ...transaction, gas: 2n ** 60n }, { maxFee: undefined })).toEqual([])
  })

  test('throws for an expectation with a value of the wrong type', async () => {
    for (const field of ['maxFee', 'nonce', 'nonceKey', 'maxValidBefore'])
      for (const wrong of [Number.NaN, 'lots', 3, -1n, null])
        await expect(dangersOf(transaction, { [field]: wrong })).rejects.toMatchObject({
          name: 'InvalidAmountError',
          field: `expected.${field}`,
        })
    for (const asked of [undefined, null, 'x', [null], [{ to: token }]])
      await expect(dangersOf(transaction, { calls: asked as never })).rejects.toMatchObject({
        name: expect.stringMatching(
          /InvalidTransactionError|InvalidOptionError|InvalidHexError|InvalidAddressError/,
        ),
        field: expect.stringMatching(/calls/),
      })
  })

  test('and the signing functions throw if the key rejects, fails, or returns no signature', async () => {
    const expected = expectation(customer.address)
    const thrown = (error: unknown) => ({ address: sponsor.address, sign: () => Promise.reject(error) })
    const signed = await signTempoTransaction(customer, { serialized, expected })
    const asked = (signer: ReturnType<typeof thrown>) => [
      signTempoTransaction(signer, { serialized, expected }),
      sponsorTempoTransaction(signer, { serialized: signed, feeToken: token, expected }),
    ]
    for (const error of [{ code: 4001 }, new Error('User rejected the request.')])
      for (const answer of asked(thrown(error)))
        await expect(answer).rejects.toMatchObject({ name: 'UserRejectedError' })
    for (const error of [undefined, 5, new Error('locked')])
      for (const answer of asked(thrown(error)))
        await expect(answer).rejects.toMatchObject({ name: 'WalletFailedError' })
    for (const answer of asked({ address: sponsor.address } as never))
      await expect(answer).rejects.toMatchObject({ name: 'WalletFailedError' })
    for (const signature of [undefined, null, '0x', new Uint8Array(65)])
      for (const answer of asked({ address: sponsor.address, sign: async () => signature as never }))
        await expect(answer).rejects.toMatchObject({
          name: expect.stringMatching(/RefusedTransactionError|InvalidSignatureError/),
        })
  })

  test('refuses a missing call, and a sponsor if the customer should pay', async () => {
    expect(await dangersOf(transaction, { calls: [...calls, ...calls] })).toEqual(['CALL_COUNT'])
    expect(await dangersOf(transaction, { sponsored: false })).toEqual(['UNEXPECTED_SPONSOR'])
  })
})

describe('sponsorTempoTransaction', () => {
  const sponsored = async (account: typeof customer | typeof passkey) => {
    const expected = expectation(account.address)
    const signed = await signTempoTransaction(account, { serialized, expected })
    return {
      signed,
      raw: await sponsorTempoTransaction(sponsor, { serialized: signed, feeToken: token, expected }),
    }
  }

  test.each([
    ['secp256k1', customer],
    ['a passkey', passkey],
  ] as const)('co-signs a transaction that %s signed; viem reads both signatures', async (_, account) => {
    const { raw } = await sponsored(account)
    const theirs = TxEnvelopeTempo.deserialize(raw as TxEnvelopeTempo.Serialized)
    expect(theirs.from?.toLowerCase()).toBe(account.address.toLowerCase())
    expect(theirs.feeToken).toBe(token.toLowerCase())
    if (!theirs.feePayerSignature) throw new Error('no sponsor')
    const payload = TxEnvelopeTempo.getFeePayerSignPayload(theirs, { sender: account.address })
    expect(Secp256k1.recoverAddress({ payload, signature: theirs.feePayerSignature })).toBe(
      sponsor.address.toLowerCase(),
    )
    if (theirs.signature === undefined) throw new Error('no sender')
    const digest = TxEnvelopeTempo.getSignPayload(theirs)
    expect(SignatureEnvelope.verify(theirs.signature, { address: account.address, payload: digest })).toBe(
      true,
    )
    const judged = { ...expectation(account.address), feePayer: sponsor.address, feeToken: token } as const
    expect((await inspectTempoTransaction(raw, judged)).verdict).toBe('ok')
    const wrong = await inspectTempoTransaction(raw, { ...judged, feePayer: shop })
    expect(wrong.findings.map((finding) => finding.code)).toContain('WRONG_FEE_PAYER')
  })

  test('co-signs the handoff form that viem wrote, and the result passes inspectTempoTransaction', async () => {
    const request = {
      type: 'tempo',
      chainId: 42431,
      calls: [{ to: token, data: '0xa9059cbb' }],
      gas: 1_000_000n,
      maxFeePerGas: 20_000_000_000n,
      nonce: 3,
      validBefore: Number(seconds) + 60,
    } as const
    const full = (await passkey.signTransaction({
      ...request,
      feePayer: sponsor,
      feeToken: token,
    } as never)) as Hex
    const expected = { ...expectation(passkey.address), feePayer: sponsor.address, feeToken: token } as const
    expect((await inspectTempoTransaction(full, expected)).findings).toEqual([])
    const handoff = (await passkey.signTransaction({ ...request, feePayer: true } as never)) as Hex
    expect(handoff.startsWith('0x78')).toBe(true)
    const raw = await sponsorTempoTransaction(sponsor, { serialized: handoff, feeToken: token, expected })
    expect(raw).toBe(full.toLowerCase())
    // viem reads what redeemkit encoded
    const signed = await signTempoTransaction(passkey, { serialized, expected })
    const theirs = Transaction.deserialize(signed as never)
    expect(theirs).toMatchObject({ feePayerSignature: null })
  })

  test('returns a transaction that inspectTempoTransaction refuses after a change of any byte', async () => {
    const { raw } = await sponsored(customer)
    const expected = { ...expectation(customer.address), feePayer: sponsor.address, feeToken: token } as const
    expect((await inspectTempoTransaction(raw, expected)).verdict).toBe('ok')
    for (let index = 0; index < size(raw); index++) {
      const at = 2 + 2 * index
      const byte = (Number.parseInt(raw.slice(at, at + 2), 16) ^ 0x01).toString(16).padStart(2, '0')
      const changed = `${raw.slice(0, at)}${byte}${raw.slice(at + 2)}` as Hex
      const verdict = await inspectTempoTransaction(changed, expected).then(
        (inspection) => inspection.verdict,
        (error: Error) => error.name,
      )
      expect([index, verdict]).not.toEqual([index, 'ok'])
    }
  })

  test('is not needed if the sponsor signed first', async () => {
    const whole = { ...transaction, feeToken: token } as const
    const sender = customer.address
    const feePayerSignature = await sponsor.sign({ hash: hashTempoFeePayer(whole, { sender }) })
    const expected = { ...expectation(sender), feePayer: sponsor.address, feeToken: token } as const
    const signed = await signTempoTransaction(customer, {
      serialized: serializeTempoTransaction({ ...whole, feePayerSignature }),
      expected,
    })
    expect(parseTempoTransaction(signed)).toMatchObject({ feeToken: token, feePayerSignature })
    expect((await inspectTempoTransaction(signed, expected)).verdict).toBe('ok')
    const other = await sponsored(customer)
    expect(other.raw).toBe(signed)
  })

  test('would be refused by the chain if the sponsor is the sender, which the inspection reports', async () => {
    const expected = expectation(customer.address)
    const signed = parseTempoTransaction(await signTempoTransaction(customer, { serialized, expected }))
    const whole = { ...signed, feeToken: token } as const
    const feePayerSignature = await customer.sign({
      hash: hashTempoFeePayer(whole, { sender: customer.address }),
    })
    expect(await dangersOf({ ...whole, feePayerSignature })).toEqual(['SELF_SPONSORED'])
  })

  test('and signTempoTransaction never ask a key to sign an unexpected transaction', async () => {
    const asked: Hex[] = []
    const key = {
      address: sponsor.address,
      sign: async ({ hash }: { hash: Hex }) => {
        asked.push(hash)
        return sponsor.sign({ hash })
      },
    }
    const expected = expectation(customer.address)
    const greedy = serializeTempoTransaction({
      ...transaction,
      calls: [...transaction.calls, ...transaction.calls],
    })
    await expect(signTempoTransaction(key, { serialized: greedy, expected })).rejects.toMatchObject({
      name: 'RefusedTransactionError',
      field: 'calls',
    })
    const { raw, signed } = await sponsored(customer)
    const sponsoring = (serialized: Hex, change: object = {}) =>
      sponsorTempoTransaction(key, { serialized, feeToken: token, expected: { ...expected, ...change } })
    await expect(sponsoring(serialized)).rejects.toThrow('has not signed')
    await expect(sponsoring(raw)).rejects.toThrow('already has a sponsor')
    await expect(sponsoring(signed, { maxFee: 19_999n })).rejects.toThrow(
      'The network fee can be $0.02, above the limit of $0.019999.',
    )
    await expect(sponsoring(signed, { maxFee: undefined })).rejects.toMatchObject({
      field: 'expected.maxFee',
    })
    await expect(sponsoring(signed, { account: shop })).rejects.toThrow('not by')
    await expect(signTempoTransaction(key, { serialized: signed, expected })).rejects.toThrow(
      'has already signed',
    )
    expect(asked).toEqual([])
    // the signer's and the sponsor's keys belong to other accounts
    await expect(signTempoTransaction(key, { serialized, expected })).rejects.toThrow(
      'did not sign for the account',
    )
    const liar = { address: shop, sign: key.sign } as const
    await expect(
      sponsorTempoTransaction(liar, { serialized: signed, feeToken: token, expected }),
    ).rejects.toThrow('did not sign as')
    const self = { address: customer.address, sign: customer.sign }
    await expect(
      sponsorTempoTransaction(self, { serialized: signed, feeToken: token, expected }),
    ).rejects.toThrow('The sponsor is the customer')
  })

  test('signs a digest with the fee token, whereas the sender’s digest has neither fee token nor sponsor', async () => {
    const { raw, signed } = await sponsored(customer)
    const parsed = parseTempoTransaction(raw)
    expect(hashTempoTransaction(parsed)).toBe(hashTempoTransaction(parseTempoTransaction(signed)))
    const options = { sender: customer.address }
    expect(hashTempoFeePayer(parsed, options)).not.toBe(
      hashTempoFeePayer({ ...parsed, feeToken: alpha }, options),
    )
    const signature = Signature.fromHex(await sponsor.sign({ hash: keccak256(numberToHex(1)) }))
    expect(signature.s).toBeLessThan(2n ** 255n)
  })
})

function hexOf(bytes: Uint8Array): Hex {
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
