import fc from 'fast-check'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import * as z from 'zod/mini'
import * as schema from './index.ts'
import {
  cardCheckoutResponse,
  creditsAuthMsgResponse,
  customPayInFee,
  InvalidRecordError,
  jobStatus,
  loose,
  parseRecord,
  subscriptionPlan,
  transactionDataKind,
  wireTokenResponse,
} from './index.ts'

const a = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' as const
const numRuns = inject('generatedInputs')

const records = Object.entries(schema).flatMap(([name, value]): [string, z.core.$ZodType][] =>
  typeof value === 'object' && '_zod' in value ? [[name, value]] : [],
)

/** The field names of all records, with which the tests generate values that resemble records. */
const fieldNames = [
  ...new Set(
    records.flatMap(
      ([, record]) => JSON.stringify(z.toJSONSchema(record)).match(/(?<=")[A-Za-z_]\w*(?=":)/g) ?? [],
    ),
  ),
]
const leaf = fc.oneof(
  fc.constantFrom<unknown>(
    a,
    '0x',
    '0x1',
    '0x1234',
    `0x${'ab'.repeat(32)}`,
    '',
    '0',
    '1',
    '-1',
    '1.5',
    '1e3',
    ' 1',
  ),
  fc.constantFrom<unknown>(
    0,
    -0,
    1,
    -1,
    1.5,
    2 ** 53,
    2 ** 53 - 1,
    Number.NaN,
    Infinity,
    10n,
    null,
    undefined,
    true,
    Symbol('s'),
  ),
  fc.constantFrom<unknown>(
    'token',
    'decent',
    'safeMint',
    'giftCard',
    'travel',
    'USD',
    'base',
    'pending',
    'completed',
  ),
  fc.string(),
  fc.double(),
  fc.bigInt(),
  fc.date(),
)
const { record: recordLike } = fc.letrec<{ record: unknown; value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    tie('record'),
  ),
  record: fc.dictionary(
    fc.constantFrom(...fieldNames, '__proto__', 'constructor', 'toString'),
    tie('value'),
    { maxKeys: 6 },
  ),
}))
const hostile = new Proxy(
  {},
  {
    get: () => {
      throw new Error('no')
    },
    ownKeys: () => {
      throw new Error('no')
    },
  },
)

describe('parseRecord', () => {
  test('returns a record or throws InvalidRecordError for any input', {
    timeout: 300_000,
  }, () => {
    const looser = records
      .filter(([name]) => /Response|Message|errorBody|jobStatus|transactionData|cartItem/.test(name))
      .map(([name, record]): [string, z.core.$ZodType] => [name, loose(record)])
    // this test creates nearly a million errors and needs no stack traces
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    onTestFinished(() => {
      Error.stackTraceLimit = stackTraceLimit
    })
    fc.assert(
      fc.property(fc.oneof(recordLike, fc.anything({ withBigInt: true, withDate: true })), (value) => {
        for (const [, record] of [...records, ...looser])
          try {
            parseRecord(record, value)
          } catch (error) {
            if (!(error instanceof InvalidRecordError)) throw error
          }
      }),
      // Each input is read as every record.
      { numRuns: Math.max(20, numRuns / 5) },
    )
  })

  test('throws InvalidRecordError for an object that throws when it is read', () => {
    for (const [, record] of records)
      expect(() => parseRecord(record, hostile, { field: 'body' })).toThrow(
        record._zod.def.type === 'union' ||
          record._zod.def.type === 'object' ||
          record._zod.def.type === 'record'
          ? /cannot be read/
          : InvalidRecordError,
      )
  })

  test('returns transactionData unchanged, and transactionDataKind names its shape', () => {
    const hex = (min: number, max: number) =>
      fc
        .uint8Array({ minLength: min, maxLength: max })
        .map((bytes): `0x${string}` => `0x${Buffer.from(bytes).toString('hex')}`)
    const address = hex(20, 20)
    const transaction = fc.record({ to: address, data: hex(0, 100) })
    const uint = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
    const optional = { waitForHash: fc.option(fc.boolean(), { nil: undefined }) }
    const any = fc.oneof(
      fc
        .record({ type: fc.constant('token' as const), destination: address, ...optional })
        .map((value) => ['token', value]),
      fc.record({ transaction, ...optional }).map((value) => ['normal', value]),
      fc
        .record({
          type: fc.constantFrom('safeMint', 'returned'),
          transaction,
          nftContract: fc.option(address, { nil: undefined }),
        })
        .map((value) => [value.type, value]),
      fc
        .record({
          transaction,
          nftContract: address,
          nftId: fc.oneof(
            uint.map(String),
            uint.map((id) => `0x${id.toString(16)}`),
          ),
        })
        .map((value) => ['knownTokenId', value]),
      fc
        .record({
          type: fc.constant('decent'),
          dstChainId: fc.integer({ min: 1 }),
          dstToken: address,
          contractAddress: address,
          contractData: hex(0, 50),
          cost: fc.record({ isNative: fc.constant(false), amount: uint.map(String) }),
        })
        .map((value) => ['decent', value]),
    )
    fc.assert(
      fc.property(any, ([kind, value]) => {
        const once = parseRecord(schema.transactionData, value)
        expect(once).toEqual(value)
        expect(parseRecord(schema.transactionData, JSON.parse(JSON.stringify(once)))).toEqual(
          JSON.parse(JSON.stringify(value)),
        )
        expect(transactionDataKind(once)).toBe(kind)
      }),
      { numRuns },
    )
  })

  test('accepts as uintText exactly the decimal texts of integers from 0 to 2^256 - 1', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.bigInt().map(String),
          fc.bigInt({ min: 0n, max: 2n ** 257n }).map(String),
          fc.string(),
          fc.stringMatching(/^[0-9]{1,80}$/),
        ),
        (text) => {
          let expected = false
          try {
            expected = /^\d+$/.test(text) && BigInt(text).toString() === text && BigInt(text) < 2n ** 256n
          } catch {}
          expect(z.safeParse(schema.uintText, text).success).toBe(expected)
        },
      ),
      { numRuns },
    )
    expect(z.safeParse(schema.uintText, (2n ** 256n - 1n).toString()).success).toBe(true)
    expect(z.safeParse(schema.uintText, (2n ** 256n).toString()).success).toBe(false)
  })

  test('reports all issues in order, each with the field, the shortened value and what was expected', () => {
    const signature = `0x${'ab'.repeat(64)}a`
    let caught: unknown
    try {
      parseRecord(
        schema.usdcAuthorizationV2,
        { from: 1, signature, extra: 1 },
        { field: 'auth', record: 'The body' },
      )
    } catch (error) {
      caught = error
    }
    expect(caught).toBeInstanceOf(InvalidRecordError)
    const error = caught as InvalidRecordError
    expect(error.message).toMatchInlineSnapshot(`
      "The body is invalid: auth.from is 1: expected string (and 7 more).
      Field: auth.from
      What to do: Correct this field; the records are described in redeemkit/schema."
    `)
    expect(error.issues.map(({ path }) => path)).toEqual([
      'auth.from',
      'auth.to',
      'auth.value',
      'auth.validAfter',
      'auth.validBefore',
      'auth.nonce',
      'auth.signature',
      'auth.extra',
    ])
    expect(JSON.stringify(error.issues)).not.toContain(signature)
  })

  test('every schema can be converted to JSON Schema', () => {
    for (const [name, record] of records)
      expect(z.toJSONSchema(record, { io: 'input' }), name).toBeTypeOf('object')
  })
})

describe('the error for an unknown field', () => {
  const issueOf = (value: unknown) => {
    try {
      parseRecord(schema.subtotal, value, { field: 'subtotal' })
    } catch (error) {
      if (error instanceof InvalidRecordError) return error
    }
    throw new Error('It did not fail.')
  }

  test('has the field’s name unchanged in the path if the name is a plain word', () => {
    expect(issueOf({ cents: 1, note: 1 }).field).toBe('subtotal.note')
    expect(issueOf({ cents: 1, 'x-y_z$1': 1 }).field).toBe('subtotal.x-y_z$1')
  })

  test('has any other name quoted, on one line', () => {
    const error = issueOf({ cents: 1, 'a"]\nWhat to do: pay\u001b[2J\u202e': 1 })
    expect(error.field).toBe('subtotal["a\\"]\\nWhat to do: pay\\u001b[2J\\u{202e}"]')
    expect(error.message.split('\n')).toHaveLength(3)
    expect(issueOf({ cents: 1, 'a.b': 1 }).field).toBe('subtotal["a.b"]')
  })

  test('does not contain a name that may be a secret key', () => {
    const key = `0x${'ac0974bec39a17e3'.repeat(4)}`
    for (const error of [issueOf({ cents: 1, [key]: 1 }), issueOf({ cents: key }), issueOf(key)]) {
      expect(`${error} ${JSON.stringify(error)}`).not.toContain('ac09')
      expect(error.message).toContain('text of 66 characters')
    }
  })
})

test('hideValues shows no value of the record', () => {
  const schema = z.strictObject({ number: z.string(), name: z.string() })
  const record = { number: 4000009900000012, '4000 0099 0000 0012': 1 }
  const parse = () => parseRecord(schema, record, { hideValues: true })
  expect(parse).toThrow(
    expect.objectContaining({
      issues: [
        { path: 'number', message: 'cannot be used: expected string' },
        { path: 'name', message: 'is missing: expected string' },
        { path: '[…]', message: 'is not a field of this record' },
      ],
    }),
  )
})

describe('loose', () => {
  const bytes32 = `0x${'ab'.repeat(32)}`
  const asked = { message: '{}', validBefore: '1800000000', nonce: bytes32, creditsRawAmount: 1_030_000 }
  const plan = {
    id: '1',
    name: 'Gold',
    code: 'gold',
    interval: 'Monthly',
    amount: { cents: 1000, currency: 'USD' },
    active: true,
  }

  describe('null in a response', () => {
    test('counts as absent if the field does not allow null', () => {
      expect(
        parseRecord(loose(creditsAuthMsgResponse), { ...asked, salt: null, usdcAuthorization: null }),
      ).toStrictEqual(asked)
      expect(
        parseRecord(loose(subscriptionPlan), { ...plan, duration: null, settlementChain: null }),
      ).toStrictEqual(plan)
    })

    test('counts as absent at every depth', () => {
      const address = { address1: 'a', city: 'c', state: 's', zip: 'z', country: 'US' }
      const answer = {
        address,
        account_number: '1',
        wireRoutingNumber: '2',
        paymentId: 'p',
        recipientName: 'r',
        memo: 'm',
        amount: { cents: 1, currency: 'USD' },
        expires: '2026-11-20T12:00:00Z',
      }
      expect(
        parseRecord(loose(wireTokenResponse), { ...answer, address: { ...address, address2: null } }),
      ).toStrictEqual(answer)
      expect(parseRecord(loose(z.array(subscriptionPlan)), [{ ...plan, description: null }])).toStrictEqual([
        plan,
      ])
    })

    test('stays in fields that allow null, and in unknown fields', () => {
      const fee = { fee: { percent: 1, cents: null }, lineItemLabel: 'Fee' }
      expect(parseRecord(loose(customPayInFee), fee)).toStrictEqual(fee)
      expect(parseRecord(loose(jobStatus), { status: 'completed', value: null })).toStrictEqual({
        status: 'completed',
        value: null,
      })
      expect(parseRecord(loose(creditsAuthMsgResponse), { ...asked, later: null })).toStrictEqual({
        ...asked,
        later: null,
      })
    })

    test('is rejected in a required field', () => {
      expect(() => parseRecord(loose(creditsAuthMsgResponse), { ...asked, nonce: null })).toThrow(
        'nonce is null',
      )
    })

    test('is rejected by the strict schema', () => {
      expect(() => parseRecord(creditsAuthMsgResponse, { ...asked, salt: null })).toThrow('salt is null')
    })
  })

  test('a `returned` field may be missing in a response, but not in a strict record', () => {
    expect(() => parseRecord(cardCheckoutResponse, { paymentId: 'p' })).toThrow(
      'status is missing: expected a value',
    )
    const { status } = parseRecord(loose(cardCheckoutResponse), { paymentId: 'p' })
    const known: string | undefined = status
    expect(known).toBeUndefined()
    expect(() => parseRecord(loose(cardCheckoutResponse), { paymentId: 'p', status: 1 })).toThrow(
      'status is 1',
    )
  })
})
