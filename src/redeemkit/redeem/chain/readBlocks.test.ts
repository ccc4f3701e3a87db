import { describe, expect, test } from 'vitest'
import { blocksAround } from './readBlocks.ts'

/** A chain with blocks at the given times, which counts its requests. */
function chainOf(timeOf: (block: bigint) => bigint, oldest = 0n) {
  const asked: bigint[] = []
  const request = async ({ params }: { method: string; params?: unknown }) => {
    const [which] = params as [string]
    const number = BigInt(which)
    asked.push(number)
    if (number < oldest) return null
    return { number: which, timestamp: `0x${timeOf(number).toString(16)}`, hash: `0x${'cd'.repeat(32)}` }
  }
  return { asked, request }
}

const genesis = 1_600_000_000n
const chains: [string, bigint, (block: bigint) => bigint][] = [
  ['2 seconds', 40_000_000n, (block) => genesis + block * 2n],
  ['12 seconds', 20_000_000n, (block) => genesis + block * 12n],
  ['a quarter of a second', 300_000_000n, (block) => genesis + block / 4n],
  // It mined seldom at first, as test chains do.
  [
    'a change of pace',
    9_000_000n,
    (block) => genesis + (block < 1_000n ? block * 90_000n : 90_000_000n + block),
  ],
  ['first a block long before all others', 5_000_000n, (block) => (block === 0n ? 0n : genesis + block * 3n)],
]

describe.each(chains)('blocks of %s', (_, number, timeOf) => {
  const head = { number, timestamp: timeOf(number) }

  test.each([1n, 50n, 5_000n, 1_234_567n])('%s blocks from the first or the newest', async (distance) => {
    for (const target of [distance, number - distance]) {
      const chain = chainOf(timeOf)
      const { first, last } = await blocksAround(chain, timeOf(target), { first: 0n, head })
      expect(first <= target && target <= last).toBe(true)
      expect(last - first).toBeLessThanOrEqual(1_000n)
      expect(chain.asked.length).toBeLessThan(30)
    }
  })
})

test('every block of the second is in the range', async () => {
  const timeOf = (block: bigint) => genesis + block / 4n
  const head = { number: 1_000_000n, timestamp: timeOf(1_000_000n) }
  for (const second of [100n, 54_321n, 200_000n]) {
    const { first, last } = await blocksAround(chainOf(timeOf), genesis + second, { first: 0n, head })
    expect(first <= second * 4n && second * 4n + 3n <= last).toBe(true)
  }
})

test('a redeem of this minute needs no question', async () => {
  const chain = chainOf((block) => genesis + block)
  const head = { number: 1_000_000n, timestamp: genesis + 1_000_000n }
  const range = await blocksAround(chain, head.timestamp - 60n, { first: 0n, head })
  expect([range, chain.asked]).toEqual([{ first: 999_001n, last: 1_000_000n }, []])
})

test('stays within the first block that is searched', async () => {
  const chain = chainOf((block) => genesis + block)
  const head = { number: 1_000_000n, timestamp: genesis + 1_000_000n }
  const { first } = await blocksAround(chain, genesis + 5n, { first: 500_000n, head })
  expect(first).toBe(500_000n)
})

test('a node without old headers leaves the range as wide as it is known', async () => {
  const chain = chainOf((block) => genesis + block, 900_000n)
  const head = { number: 1_000_000n, timestamp: genesis + 1_000_000n }
  const { first, last } = await blocksAround(chain, genesis + 5n, { first: 0n, head })
  expect(first).toBe(0n)
  expect(last).toBeLessThan(1_000_000n)
})
