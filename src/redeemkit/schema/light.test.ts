import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { InvalidRecordError } from '../core/errors/inputErrors.ts'
import { authMessageResponse } from './auth.ts'
import * as light from './light.ts'
import { loose } from './loose.ts'
import { balancesResponse } from './purchase.ts'
import { type RecordSchema, readRecord } from './readRecord.ts'
import { creditsAuthMsgResponse, sendGaslessTxResponse, signedMessages } from './redeem.ts'
import { cents, redeemSubtotal } from './subtotal.ts'
import { emptyAnswer, freeObject } from './values.ts'

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const bytes32 = `0x${'ab'.repeat(32)}`
const authorization = {
  from: address,
  to: address,
  value: '1000000',
  validAfter: '0',
  validBefore: 1_800_000_000,
  nonce: bytes32,
}
const v1 = { ...authorization, v: 27, r: bytes32, s: bytes32 }
const v2 = { ...authorization, signature: '0x1234' }

type Case = { light: RecordSchema<unknown>; zod: RecordSchema<unknown>; samples: readonly unknown[] }

/** Every schema of `light.ts`, the zod schema of the same record, and values that both accept. */
const cases: Record<keyof typeof light, Case> = {
  lightCents: { light: light.lightCents, zod: cents, samples: [{ cents: 1000 }] },
  lightRedeemSubtotal: {
    light: light.lightRedeemSubtotal,
    zod: redeemSubtotal,
    samples: [
      { cents: 1000 },
      { cents: 0, currency: 'USD' },
      { address, amount: '10.25', decimals: 6 },
      { address, amount: 10.25 },
    ],
  },
  lightWebhookInfo: { light: light.lightWebhookInfo, zod: freeObject, samples: [{}, { order: { id: 7 } }] },
  lightCart: { light: light.lightCart, zod: z.array(freeObject), samples: [[], [{ quantity: 1 }, {}]] },
  lightSignedMessages: {
    light: light.lightSignedMessages,
    zod: signedMessages,
    samples: [
      { permitCredits: '0x12' },
      { permitCredits: '0x', customerUsdcAuthData: v1 },
      { permitCredits: '0x', customerUsdcAuthDataV2: v2 },
    ],
  },
  lightCreditsAuthMsgAnswer: {
    light: light.lightCreditsAuthMsgAnswer,
    zod: loose(creditsAuthMsgResponse),
    samples: [
      { message: '', validBefore: '1800000000', nonce: bytes32, creditsRawAmount: 6_030_000, salt: bytes32 },
      {
        message: '{}',
        validBefore: '1800000000',
        nonce: bytes32,
        creditsRawAmount: 0,
        usdcAuthorization: { message: '{}', messageData: authorization },
      },
    ],
  },
  lightSendGaslessTxAnswer: {
    light: light.lightSendGaslessTxAnswer,
    zod: loose(sendGaslessTxResponse),
    samples: [{ hash: bytes32 }],
  },
  lightBalancesAnswer: {
    light: light.lightBalancesAnswer,
    zod: loose(balancesResponse),
    samples: [{ credits: { cents: 1 }, usdc: { cents: 0 } }],
  },
  lightAuthMessageAnswer: {
    light: light.lightAuthMessageAnswer,
    zod: loose(authMessageResponse),
    samples: [{ message: 'x' }, { message: 'x', transaction: '' }],
  },
  lightEmptyAnswer: { light: light.lightEmptyAnswer, zod: loose(emptyAnswer), samples: [{}] },
}

/** JSON values that the schemas must reject. Some are almost valid. */
const wrong = fc.oneof(
  fc.constantFrom(
    null,
    '',
    '0x',
    '0x1',
    '0x12',
    address,
    address.toUpperCase(),
    bytes32,
    'USD',
    'EUR',
    '__proto__',
  ),
  fc.constantFrom(
    '0',
    '00',
    '1',
    '-1',
    '1.5',
    '1e3',
    ' 1',
    `${2n ** 256n - 1n}`,
    `${2n ** 256n}`,
    '9'.repeat(77),
  ),
  fc.constantFrom(0, -0, 1, -1, 1.5, 255, 256, 2 ** 53 - 1, 2 ** 53, 1e300, true),
  fc.constantFrom({}, [], [{}], [null], { cents: 1 }, { cents: '1' }, v1, v2, authorization),
  fc.jsonValue({ maxDepth: 2 }),
)
type Change = typeof change extends fc.Arbitrary<infer one> ? one : never
const change = fc.record({
  at: fc.nat(),
  deeper: fc.boolean(),
  how: fc.constantFrom('replace', 'remove', 'add'),
  key: fc.constantFrom(
    'block',
    'currency',
    'decimals',
    'salt',
    'customerUsdcAuthData',
    'customerUsdcAuthDataV2',
    '__proto__',
    'constructor',
    'a b',
  ),
  value: wrong,
})

/** Returns a copy of `sample` with one change. */
function changed(sample: unknown, { at, deeper, how, key, value }: Change): unknown {
  if (typeof sample !== 'object' || sample === null) return value
  const entries: [string, unknown][] = Object.entries(sample)
  const place = entries[at % Math.max(1, entries.length)]
  const inner = place?.[1]
  const others = entries.filter((entry) => entry !== place)
  const put = (changed: [string, unknown][]) =>
    Array.isArray(sample) ? changed.map(([, one]) => one) : Object.fromEntries(changed)
  if (place === undefined) return put([[key, value]])
  if (deeper && typeof inner === 'object')
    return put([...others, [place[0], changed(inner, { at, deeper, how, key, value })]])
  if (how === 'remove') return put(others)
  if (how === 'add') return put([...entries, [key, value]])
  return put([...others, [place[0], value]])
}

/** Returns the record, or the first issue of each field, because zod reports a second issue for an empty list in place of text. */
function readBy(schema: RecordSchema<unknown>, value: unknown) {
  try {
    return { record: readRecord(schema, value) }
  } catch (error) {
    if (!(error instanceof InvalidRecordError)) throw error
    return { issues: new Map([...error.issues].reverse().map(({ path, message }) => [`${path}`, message])) }
  }
}

describe.each(Object.entries(cases))('%s', (_, { light, zod, samples }) => {
  test.each(samples.map((sample) => [sample]))('accepts %j unchanged', (sample) => {
    expect(readBy(light, sample)).toEqual({ record: sample })
  })

  test('accepts the same JSON as the zod schema, and reports the same issues for any other', () => {
    const near = fc
      .tuple(fc.constantFrom(...samples), change, fc.option(change))
      .map(([sample, first, second]) => {
        const once = changed(sample, first)
        return second === null ? once : changed(once, second)
      })
    fc.assert(
      fc.property(fc.oneof({ weight: 5, arbitrary: near }, wrong), (value) => {
        expect(readBy(light, value)).toEqual(readBy(zod, value))
      }),
      { numRuns: 500 },
    )
  })
})

test('readRecord drops a field __proto__ without changing the prototype', () => {
  const [item] = readRecord(light.lightCart, JSON.parse('[{"__proto__":{"polluted":1},"quantity":2}]'))
  expect(item).toEqual({ quantity: 2 })
  expect([Object.getPrototypeOf(item) === Object.prototype, Object(item).polluted]).toEqual([true, undefined])
})
