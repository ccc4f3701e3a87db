import { nativeToScVal, xdr } from '@stellar/stellar-sdk'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeContractError, decodeValue, encodeValue } from './wasmValues.ts'

const number = (value: bigint, type: string) => nativeToScVal(value, { type })
const roundTrip = (value: xdr.ScVal) => {
  const objects: xdr.ScVal[] = []
  return decodeValue(encodeValue(value, objects), objects).toXDR('base64')
}

describe('values as a Wasm contract sees them', () => {
  // The word for "transfer" stands in every compiled contract that moves tokens; the others follow from CAP-46-1.
  test.each<[string, xdr.ScVal, bigint]>([
    ['transfer', xdr.ScVal.scvSymbol('transfer'), 65154533130155790n],
    ['void', xdr.ScVal.scvVoid(), 2n],
    ['false', xdr.ScVal.scvBool(false), 0n],
    ['true', xdr.ScVal.scvBool(true), 1n],
    ['u32', xdr.ScVal.scvU32(7), (7n << 32n) | 4n],
    ['i32', xdr.ScVal.scvI32(-1), (0xffffffffn << 32n) | 5n],
    ['i128', number(10_000_000n, 'i128'), (10_000_000n << 8n) | 11n],
    ['negative i128', number(-1n, 'i128'), ((1n << 56n) - 1n) * 256n + 11n],
  ])('%s', (_, value, word) => {
    expect(encodeValue(value, [])).toBe(word)
    expect(roundTrip(value)).toBe(value.toXDR('base64'))
  })
  test.each<[string, bigint, boolean]>([
    ['i128', (1n << 55n) - 1n, true],
    ['i128', 1n << 55n, false],
    ['i128', -(1n << 55n), true],
    ['i128', -(1n << 55n) - 1n, false],
    ['i64', (1n << 55n) - 1n, true],
    ['i64', 1n << 55n, false],
    ['u64', (1n << 56n) - 1n, true],
    ['u64', 1n << 56n, false],
    ['u128', (1n << 56n) - 1n, true],
    ['u128', 1n << 56n, false],
  ])('%s of %s is inside the word: %s', (type, amount, isInside) => {
    const objects: xdr.ScVal[] = []
    encodeValue(number(amount, type), objects)
    expect(objects.length).toBe(isInside ? 0 : 1)
    expect(roundTrip(number(amount, type))).toBe(number(amount, type).toXDR('base64'))
  })
  test('symbols of nine letters are inside, longer ones are objects', () => {
    const objects: xdr.ScVal[] = []
    encodeValue(xdr.ScVal.scvSymbol('_09AZaz__'), objects)
    expect(objects).toEqual([])
    encodeValue(xdr.ScVal.scvSymbol('_09AZaz___'), objects)
    expect(objects.length).toBe(1)
  })
  test('what goes in comes out', () => {
    const numbers = fc.oneof(
      ...(['i128', 'i64'] as const).map((type) =>
        fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }).map((value) => number(value, type)),
      ),
      fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }).map((value) => number(value, 'u64')),
      fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }).map((value) => number(value, 'u128')),
      fc.stringMatching(/^[_0-9A-Za-z]{0,32}$/).map((text) => xdr.ScVal.scvSymbol(text)),
      fc.string().map((text) => xdr.ScVal.scvString(text)),
    )
    fc.assert(fc.property(numbers, (value) => roundTrip(value) === value.toXDR('base64')))
  })
  test('a word that names nothing is an error', () => {
    expect(() => decodeValue(77n, [])).toThrow(/not a value/)
    expect(() => decodeValue(75n, [xdr.ScVal.scvBytes(Buffer.alloc(1))])).toThrow(/not a value/)
    expect(() => decodeValue(15n, [])).toThrow(/not a value/)
  })
  test("a contract's own error", () => {
    expect(decodeContractError((205n << 32n) | 3n)).toBe(205)
    expect(decodeContractError((205n << 32n) | (1n << 8n) | 3n)).toBeUndefined()
    expect(decodeContractError(2n)).toBeUndefined()
  })
})
