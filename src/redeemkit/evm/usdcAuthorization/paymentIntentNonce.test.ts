import fc from 'fast-check'
import { encodeAbiParameters, type Hex, keccak256, stringToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import vectors from '../../../../test/vectors/payment-intent.json' with { type: 'json' }
import { type PaymentOutcomeName, paymentIntentNonce, paymentOutcomes } from './paymentIntentNonce.ts'

const names = Object.keys(paymentOutcomes) as PaymentOutcomeName[] // the keys have this type
const optionsOf = (one: (typeof vectors.cases)[number]): paymentIntentNonce.Options => {
  const outcome = names.find((name) => paymentOutcomes[name] === one.outcome) ?? 'execute'
  return {
    orderKey: one.orderKey as Hex,
    customer: vectors.customer as Hex,
    outcome,
    ...(outcome === 'execute'
      ? { settlementHash: one.settlementHash as Hex }
      : { receiver: one.receiver as Hex }),
    creditSeed: one.creditSeed,
    amount: BigInt(one.amount),
    value: BigInt(one.value),
    salt: one.salt as Hex,
  }
}
const [token] = vectors.cases
const credits = vectors.cases.find(({ name }) => name === 'mint credits')
if (token === undefined || credits === undefined) throw new Error('The vectors lack a case.')
const executes = optionsOf(token)
const mints = optionsOf(credits)
const fails = (name: string, field: string) => expect.objectContaining({ name, field })

describe('paymentIntentNonce', () => {
  test.each(vectors.cases)('returns the nonce of the test vector: $name', (one) => {
    expect(paymentIntentNonce(optionsOf(one))).toBe(one.nonce)
  })

  test('has the typehash of the vectors', () => {
    expect(keccak256(stringToHex(vectors.typestring))).toBe(vectors.typehash)
  })

  test('equals the nonce computed with viem’s ABI encoder, for random terms', () => {
    const hexOf = (bytes: number) =>
      fc
        .uint8Array({ minLength: bytes, maxLength: bytes })
        .map((value): Hex => `0x${Buffer.from(value).toString('hex')}`)
    const address = hexOf(20).filter((text) => !/^0x0+$/.test(text))
    const uint = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
    const terms = fc.record({
      key: hexOf(11),
      customer: address,
      receiver: address,
      settlementHash: hexOf(32),
      creditSeed: fc.string({ unit: 'grapheme' }),
      amount: uint,
      value: uint,
      salt: hexOf(32),
      outcome: fc.constantFrom(...names),
    })
    fc.assert(
      fc.property(terms, ({ key, receiver, settlementHash, outcome, ...rest }) => {
        const orderKey: Hex = `0x80${key.slice(2)}`
        const isExecute = outcome === 'execute'
        const expected = keccak256(
          encodeAbiParameters(
            [
              'bytes32',
              'address',
              'uint8',
              'address',
              'bytes32',
              'bytes32',
              'uint256',
              'uint256',
              'bytes32',
            ].map((type) => ({ type })),
            [
              vectors.typehash,
              rest.customer,
              paymentOutcomes[outcome],
              isExecute ? `0x${'00'.repeat(20)}` : receiver,
              isExecute ? settlementHash : `0x${'00'.repeat(32)}`,
              keccak256(stringToHex(rest.creditSeed)),
              rest.amount,
              rest.value,
              rest.salt,
            ],
          ),
        )
        const nonce = paymentIntentNonce({
          ...rest,
          orderKey,
          outcome,
          ...(isExecute ? { settlementHash } : { receiver }),
        })
        expect(nonce).toBe(`${orderKey}${expected.slice(26)}`)
      }),
    )
  })

  test.each([
    [
      'a receiver with outcome execute',
      { ...executes, receiver: mints.receiver },
      'InvalidRecordError',
      'receiver',
    ],
    [
      'no settlement hash with outcome execute',
      { ...executes, settlementHash: undefined },
      'InvalidRecordError',
      'settlementHash',
    ],
    [
      'no receiver with outcome mintCredits',
      { ...mints, receiver: undefined },
      'InvalidRecordError',
      'receiver',
    ],
    [
      'a settlement hash with outcome mintCredits',
      { ...mints, settlementHash: executes.settlementHash },
      'InvalidRecordError',
      'settlementHash',
    ],
    [
      'the zero address',
      { ...mints, receiver: `0x${'00'.repeat(20)}` as Hex },
      'InvalidAddressError',
      'receiver',
    ],
    ['another outcome', { ...mints, outcome: 'toString' as never }, 'InvalidOptionError', 'outcome'],
    [
      'an order key with a clear highest bit',
      { ...mints, orderKey: '0x7ff8661c04b781a2804ce2e8' as Hex },
      'InvalidHexError',
      'orderKey',
    ],
    ['an order key of 32 bytes', { ...mints, orderKey: mints.salt }, 'InvalidHexError', 'orderKey'],
    ['a negative value', { ...mints, value: -1n }, 'InvalidAmountError', 'value'],
  ] as const)('refuses %s', (what, options, name, field) => {
    expect(() => paymentIntentNonce(options)).toThrow(fails(name, field))
    // the error says whether the field is missing or must be absent
    if (name === 'InvalidRecordError')
      expect(() => paymentIntentNonce(options)).toThrow(
        what.startsWith('no ') ? `needs ${field}` : `takes no ${field}`,
      )
  })
})
