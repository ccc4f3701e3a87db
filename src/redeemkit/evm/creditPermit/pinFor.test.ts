import { describe, expect, test } from 'vitest'
import type { InspectPins, ReadContext } from './inspectOptions.ts'
import { pinFor } from './pinFor.ts'

const contract = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const page = 'https://shop.example'

type Pin = Partial<{ [key in keyof InspectPins]: InspectPins[key] | undefined }>
/** Another shop's entry, for another contract on another chain. */
const pin = (change: Pin = {}): InspectPins =>
  ({
    chainId: 1,
    creditsContract: other,
    creditSeed: 'other',
    merchantId: 'other',
    origins: ['https://other.example'],
    ...change,
  }) as InspectPins // undefined stands for omitted values

/** The index of the chosen entry, and whether the request claims to be for its shop. */
function chosen(pinned: InspectPins[], context: object = { origin: page, intent: { merchantId: 'shop' } }) {
  const request = { chainId: 8453, contract, creditSeed: 'shop' }
  const terms = pinFor({ now: () => 0, pinned, ...context } as unknown as ReadContext, request) // pinFor reads nothing else
  return [terms.pin === undefined ? undefined : pinned.indexOf(terms.pin), terms.isLinked]
}

describe('an entry is compared with a request', () => {
  test.each<[string, Pin, boolean]>([
    ['of its page', { origins: ['https://a.example', page] }, true],
    ['of its merchant', { merchantId: 'shop' }, true],
    ['of its credit seed', { creditSeed: 'shop' }, true],
    ['of its contract', { creditsContract: contract, chainId: 8453 }, false],
    [
      'of its contract in lower case',
      { creditsContract: contract.toLowerCase() as never, chainId: 8453 },
      false,
    ],
    ['of its contract on any chain', { creditsContract: contract, chainId: undefined }, false],
    ['of anything, if it names no shop', { merchantId: undefined, origins: undefined }, true],
  ])('%s', (_, change, isLinked) => {
    expect(chosen([pin(), pin(change)])).toEqual([1, isLinked])
  })

  test.each<[string, Pin, object | undefined]>([
    ['of another shop', {}, undefined],
    ['of its contract’s address on another chain', { creditsContract: contract }, undefined],
    ['on its chain', { chainId: 8453 }, undefined],
    // two absent values are not equal
    ['without a merchant, if it names only a page', { merchantId: undefined }, {}],
    ['without a page, if it names only a merchant', { origins: undefined }, {}],
    ['without a seed', { creditSeed: undefined }, {}],
  ])('but not %s', (_, change, context) => {
    expect(chosen([pin(change)], context)).toEqual([undefined, false])
  })

  test('a request without a seed is not for an entry without one', () => {
    const terms = pinFor(
      { now: () => 0, pinned: [pin({ creditSeed: undefined })] },
      { chainId: 8453, contract },
    )
    expect(terms.pin).toBeUndefined()
  })
})

test('of several entries, the contract counts most, then seed, merchant and page', () => {
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

test('of two equal entries, the one that names the chain is chosen, otherwise the first', () => {
  const shop = { creditSeed: 'shop', chainId: undefined }
  expect(chosen([pin(shop), pin({ ...shop, chainId: 8453 })])).toEqual([1, true])
  expect(chosen([pin(shop), pin({ ...shop, chainId: 1 }), pin(shop)])).toEqual([0, true])
})

test('without entries, nothing is compared', () => {
  expect(chosen([])).toEqual([undefined, false])
  expect(chosen(undefined as never)).toEqual([undefined, false])
})
