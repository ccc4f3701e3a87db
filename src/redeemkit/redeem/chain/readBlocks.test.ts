import fc from 'fast-check'
import { describe, expect, inject, test } from 'vitest'
import { blocksAround, walkLogs } from './readBlocks.ts'

/** Creates a chain with blocks at the given times, and counts the requests to it. */
function chainOf(timeOf: (block: bigint) => bigint, oldest = 0n) {
  const asked: bigint[] = []
  const request = async ({ params }: { method: string; params?: unknown }) => {
    const [which, full] = params as [string, boolean]
    expect(full).toBe(false)
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
  // Few blocks at first, as on test chains.
  [
    'a block time that changes',
    9_000_000n,
    (block) => genesis + (block < 1_000n ? block * 90_000n : 90_000_000n + block),
  ],
  ['a first block long before all others', 5_000_000n, (block) => (block === 0n ? 0n : genesis + block * 3n)],
]

describe.each(chains)('blocks of %s', (_, number, timeOf) => {
  const head = { number, timestamp: timeOf(number) }

  test.each([
    [1n, 20],
    [50n, 20],
    [5_000n, 3],
    [1_234_567n, 3],
  ])('finds a block %s blocks from either end with at most %s requests', async (distance, most) => {
    for (const target of [distance, number - distance]) {
      const chain = chainOf(timeOf)
      const { first, last } = await blocksAround(chain, timeOf(target), { first: 0n, head })
      expect(first <= target && target <= last).toBe(true)
      expect(last - first).toBeLessThanOrEqual(1_000n)
      expect(chain.asked.length).toBeLessThanOrEqual(most)
    }
  })
})

test('the range contains every block of the second, even if blocks are mined unevenly', async () => {
  const pace = fc.record({
    blocks: fc.integer({ min: 1, max: 3_000 }),
    seconds: fc.integer({ min: 0, max: 9 }),
  })
  const chain = fc.array(pace, { minLength: 1, maxLength: 8 }).chain((paces) => {
    const times = paces.flatMap(({ blocks, seconds }) => Array.from({ length: blocks }, () => seconds))
    times.forEach((seconds, at) => {
      times[at] = (times[at - 1] ?? 0) + seconds
    })
    return fc.record({ times: fc.constant(times), target: fc.nat({ max: times.length - 1 }) })
  })
  await fc.assert(
    fc.asyncProperty(chain, async ({ times, target }) => {
      const timeOf = (block: bigint) => genesis + BigInt(times[Number(block)] ?? 0)
      const head = { number: BigInt(times.length - 1), timestamp: timeOf(BigInt(times.length - 1)) }
      const time = timeOf(BigInt(target))
      // For the last minute, only the newest thousand blocks are read.
      fc.pre(head.timestamp - time > 60n)
      const { first, last } = await blocksAround(chainOf(timeOf), time, { first: 0n, head })
      expect(first === 0n || timeOf(first - 1n) < time).toBe(true)
      expect(last === head.number || timeOf(last + 1n) > time).toBe(true)
    }),
    { numRuns: inject('generatedInputs') },
  )
})

// The first block to read is the thousandth newest.
test.each([
  ['alone', 4_000n, 4_000n, 0n, { first: 3_500n, last: 4_500n }, [4_000n, 3_500n, 4_500n]],
  ['with 998 others', 3_501n, 4_499n, 0n, { first: 3_500n, last: 4_500n }, [4_000n, 3_500n, 4_500n]],
  ['with 600 before', 3_400n, 4_000n, 0n, { first: 0n, last: 5_000n }, [4_000n, 3_500n, 4_500n]],
  ['with 600 after', 4_000n, 4_600n, 0n, { first: 0n, last: 5_000n }, [4_000n, 3_500n, 4_500n]],
  ['with a lowest block to read', 3_600n, 4_000n, 3_600n, { first: 3_600n, last: 4_500n }, [4_000n, 4_500n]],
])('finds blocks with exactly that time, %s', async (_, begin, end, first, range, asked) => {
  const second = genesis + 1_000_000n
  const chain = chainOf((block) => (block < begin ? genesis + block : second + (block > end ? block : 0n)))
  const head = { number: 5_000n, timestamp: second + 5_000n }
  expect(await blocksAround(chain, second, { first, head })).toEqual(range)
  expect(chain.asked).toEqual(asked)
})

test('without a usable block time, the range is halved', async () => {
  const timeOf = (block: bigint) => genesis + (block < 1_000n ? block * 90_000n : 90_000_000n + block)
  const chain = chainOf(timeOf)
  const head = { number: 9_000_000n, timestamp: timeOf(9_000_000n) }
  const { first, last } = await blocksAround(chain, timeOf(1_000n), { first: 0n, head })
  expect(first <= 1_000n && 1_000n <= last && last - first <= 1_000n).toBe(true)
  expect(chain.asked.length).toBeLessThanOrEqual(36)
})

test('a redeem in the last minute needs no request', async () => {
  const chain = chainOf((block) => genesis + block)
  const head = { number: 1_000_000n, timestamp: genesis + 1_000_000n }
  const range = await blocksAround(chain, head.timestamp - 60n, { first: 0n, head })
  expect([range, chain.asked]).toEqual([{ first: 999_001n, last: 1_000_000n }, []])
})

test('never starts before the first block to search', async () => {
  const chain = chainOf((block) => genesis + block)
  const head = { number: 1_000_000n, timestamp: genesis + 1_000_000n }
  const { first } = await blocksAround(chain, genesis + 5n, { first: 500_000n, head })
  expect(first).toBe(500_000n)
})

test('if a node lacks old headers, the range narrowed so far is returned', async () => {
  const chain = chainOf((block) => genesis + block, 900_000n)
  const head = { number: 1_000_000n, timestamp: genesis + 1_000_000n }
  const { first, last } = await blocksAround(chain, genesis + 5n, { first: 0n, head })
  expect(first).toBe(0n)
  expect(last).toBeLessThan(1_000_000n)
})

describe('walkLogs', () => {
  const filter = { address: '0x12', topics: [] }
  /** Returns the ranges that the node served, and the number of requests. */
  async function walk(options: Parameters<typeof walkLogs>[2], most = 1_000_000n, answer: unknown = []) {
    const answered: [number, number][] = []
    let asked = 0
    const request = async ({ params }: { method: string; params?: unknown }) => {
      asked++
      const [{ fromBlock, toBlock }] = params as [{ fromBlock: string; toBlock: string }]
      const [from, to] = [Number(fromBlock), Number(toBlock)]
      if (BigInt(to - from + 1) > most) throw new Error('range too wide')
      answered.push([from, to])
      return answer
    }
    const steps: number[] = []
    for await (const { from } of walkLogs({ request }, filter, options)) steps.push(Number(from))
    expect(steps).toEqual(answered.map(([from]) => from))
    return { answered, asked }
  }

  test('reads the newest thousand blocks, then all others in one request', async () => {
    const { answered } = await walk({ first: 7n, last: 5_000n })
    expect(answered).toEqual([
      [4_001, 5_000],
      [7, 4_000],
    ])
  })

  test('reads at most `widest` blocks per request', async () => {
    const { answered } = await walk({ first: 7n, last: 2_500n, widest: 1_000n })
    expect(answered).toEqual([
      [1_501, 2_500],
      [501, 1_500],
      [7, 500],
    ])
  })

  test.each([
    ['a thousand blocks', { first: 0n, last: 999n }, 1_000n, [[0, 999]]],
    [
      '500 of 501 blocks',
      { first: 0n, last: 500n },
      500n,
      [
        [1, 500],
        [0, 0],
      ],
    ],
    [
      '200 of 301 blocks',
      { first: 700n, last: 1_000n },
      200n,
      [
        [901, 1_000],
        [801, 900],
        [701, 800],
        [700, 700],
      ],
    ],
    // The smallest limit of a public provider: "eth_getLogs is limited to a 5 range".
    [
      'five blocks',
      { first: 992n, last: 1_000n },
      5n,
      [
        [996, 1_000],
        [992, 995],
      ],
    ],
  ])('takes smaller steps of one size if a node serves %s', async (_, options, most, expected) => {
    expect((await walk(options, most)).answered).toEqual(expected)
  })

  test('stops after `mostRequests` requests', async () => {
    const { asked } = await walk({ first: 0n, last: 5_000n, widest: 1n, mostRequests: 4 })
    expect(asked).toBe(4)
  })

  test('fails if a node rejects a range of five blocks, or returns no list', async () => {
    await expect(walk({ first: 0n, last: 5_000n }, 4n)).rejects.toMatchObject({ field: 'publicClient' })
    await expect(walk({ first: 0n, last: 1n }, 9n, {})).rejects.toMatchObject({ name: 'ChainReadError' })
  })
})
