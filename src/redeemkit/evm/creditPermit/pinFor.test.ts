import { describe, expect, test } from 'vitest'
import type { InspectPins, ReadContext } from './inspectOptions.ts'
import { pinFor } from './pinFor.ts'

const contract = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const page = 'https://shop.example'

type Pin = Partial<{ [key in keyof InspectPins]: InspectPins[key] | undefined }>
/** A pinned entry of a different shop, contract and chain than the request's. `change` replaces some of its values. */
const pin = (change: Pin = {}): InspectPins =>
  ({
    chainId: 1,
    creditsContract: other,
    creditSeed: 'other',
    merchantId: 'other',
    origins: ['https://other.example'],
    ...change,
  }) as InspectPins // `undefined` counts as an omitted value

/** Returns the index of the chosen entry, and whether the request claims to be for its shop. */
function chosen(pinned: InspectPins[], context: object = { origin: page, intent: { merchantId: 'shop' } }) {
  const request = { chainId: 8453, contract, creditSeed: 'shop' }
  const terms = pinFor({ now: () => 0, pinned, ...context } as unknown as ReadContext, request) // pinFor reads nothing else
  return [terms.pin === undefined ? undefined : pinned.indexOf(terms.pin), terms.isLinked]
}

describe('pinFor chooses an entry', () => {
  test.each<[string, Pin, boolean]>([
    ['with the request’s page', { origins: ['https://a.example', page] }, true],
    ['with the request’s merchant', { merchantId: 'shop' }, true],
    ['with the request’s credit seed', { creditSeed: 'shop' }, true],
    ['with the request’s contract', { creditsContract: contract, chainId: 8453 }, false],
    [
      'with the request’s contract in lower case',
      { creditsContract: contract.toLowerCase() as never, chainId: 8453 },
      false,
    ],
    [
      'with the request’s contract, without a chain',
      { creditsContract: contract, chainId: undefined },
      false,
    ],
    ['without a merchant and pages, for every request', { merchantId: undefined, origins: undefined }, true],
  ])('%s', (_, change, isLinked) => {
    expect(chosen([pin(), pin(change)])).toEqual([1, isLinked])
  })

  test.each<[string, Pin, object | undefined]>([
    ['of a different shop', {}, undefined],
    ['with the request’s contract on another chain', { creditsContract: contract }, undefined],
    ['that shares only the request’s chain', { chainId: 8453 }, undefined],
    // two absent values are not equal
    ['without a merchant, for a request without a merchant', { merchantId: undefined }, {}],
    ['without pages, for a request without a page', { origins: undefined }, {}],
    ['without a credit seed', { creditSeed: undefined }, {}],
  ])('but not %s', (_, change, context) => {
    expect(chosen([pin(change)], context)).toEqual([undefined, false])
  })

  test('a request without a credit seed does not match an entry without a credit seed', () => {
    const terms = pinFor(
      { now: () => 0, pinned: [pin({ creditSeed: undefined })] },
      { chainId: 8453, contract },
    )
    expect(terms.pin).toBeUndefined()
  })
})

test('of several entries, pinFor prefers one with the contract, then the credit seed, then the merchant, then the page', () => {
  const rank: Pin[] = [
    { creditsContract: contract, chainId: undefined },
    { creditSeed: 'shop' },
    { merchantId: 'shop' },
    { origins: [page] },
  ]
  for (const [at, change] of rank.entries()) {
    const less: Pin = Object.assign({ chainId: 8453 }, ...rank.slice(at + 1))
    expect(chosen([pin(less), pin(change)])[0]).toBe(1)
    expect(chosen([pin(change), pin(less)])[0]).toBe(0)
  }
})

test('of two equally good entries, pinFor chooses the one with the request’s chain, otherwise the first', () => {
  const shop = { creditSeed: 'shop', chainId: undefined }
  expect(chosen([pin(shop), pin({ ...shop, chainId: 8453 })])).toEqual([1, true])
  expect(chosen([pin(shop), pin({ ...shop, chainId: 1 }), pin(shop)])).toEqual([0, true])
})

test('pinFor chooses nothing if there are no entries', () => {
  expect(chosen([])).toEqual([undefined, false])
  expect(chosen(undefined as never)).toEqual([undefined, false])
})
