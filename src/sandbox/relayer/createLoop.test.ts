import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLoop, createPauses } from './createLoop.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const takes = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** A loop with pauses of 1 second and a spacing of 50 ms. `starts` records when each pass starts. */
function counted(pass: (index: number) => Promise<boolean> = async () => false) {
  const begin = performance.now()
  const starts: number[] = []
  const errors: unknown[] = []
  const loop = createLoop({
    pass: () => {
      starts.push(performance.now() - begin)
      return pass(starts.length)
    },
    pauseMs: 1_000,
    spacingMs: 50,
    onError: (error) => errors.push(error),
  })
  return { loop, starts, errors }
}

test('starts a pass immediately when the loop was idle', async () => {
  const { loop, starts } = counted()
  loop.wake()
  await advance(50)
  loop.wake()
  await advance(0)
  expect(starts).toEqual([0, 50])
})

test('batches wake-ups in quick succession into one pass and loses none', async () => {
  const { loop, starts } = counted()
  for (let time = 0; time < 49; time++) {
    loop.wake()
    await advance(1)
  }
  await advance(10_000)
  expect(starts).toEqual([0, 50])
})

test('repeats passes with pauses while work is pending, even after a failed pass, and then idles', async () => {
  const broken = new Error('the database is full')
  const { loop, starts, errors } = counted(async (index) => {
    if (index === 2) throw broken
    return index < 3
  })
  loop.wake()
  await advance(60_000)
  expect(starts).toEqual([0, 1_000, 2_000])
  expect(errors).toEqual([broken])
})

test.each([
  // Passes take at most a tenth of the time, so the delay grows with their duration.
  ['4 ms', 4, 50],
  ['20 ms', 20, 200],
  ['70 ms', 70, 500],
  ['a minute', 60_000, 60_000],
])('after a pass of %s, the next pass waits for the spacing', async (_, ms, next) => {
  const { loop, starts } = counted(async () => {
    await takes(ms)
    return false
  })
  loop.wake()
  await advance(1)
  loop.wake()
  await advance(ms + 500)
  expect(starts).toEqual([0, next])
})

describe('during a pause', () => {
  test('a wake-up ends the pause', async () => {
    const { loop, starts } = counted(async (index) => index === 1)
    loop.wake()
    await advance(300)
    loop.wake()
    await advance(60_000)
    expect(starts).toEqual([0, 300])
  })

  test('a nudge neither ends the pause nor adds a pass', async () => {
    const { loop, starts } = counted(async (index) => index === 1)
    loop.wake()
    await advance(300)
    loop.nudge()
    await advance(60_000)
    expect(starts).toEqual([0, 1_000])
  })
})

test('a nudge starts a pass when the loop is idle, and requests another one during a pass', async () => {
  const { loop, starts } = counted(async () => {
    await takes(1)
    return false
  })
  loop.nudge()
  await advance(0)
  loop.nudge()
  await advance(60_000)
  expect(starts).toEqual([0, 50])
})

describe('when it stops', () => {
  test('no pass starts, whether the loop was waiting for the spacing or pausing', async () => {
    for (const pending of [false, true]) {
      const { loop, starts } = counted(async () => pending)
      loop.wake()
      await advance(0)
      if (!pending) loop.wake()
      await loop.stop()
      loop.wake()
      loop.nudge()
      await advance(60_000)
      expect(starts).toHaveLength(1)
      expect(loop.isStopped()).toBe(true)
    }
  })

  test('the loop waits for the current pass', async () => {
    let isDone = false
    const { loop, starts } = counted(async () => {
      await takes(70)
      isDone = true
      return true
    })
    loop.wake()
    await advance(1)
    loop.wake()
    const stopping = loop.stop().then(() => isDone)
    await advance(70)
    expect(await stopping).toBe(true)
    await advance(60_000)
    expect(starts).toHaveLength(1)
  })

  test('the loop can be started again', async () => {
    const { loop, starts } = counted()
    await loop.stop()
    await advance(100)
    loop.start()
    await advance(0)
    expect([starts, loop.isStopped()]).toEqual([[100], false])
  })
})

describe('failed work', () => {
  test('waits 0.4 seconds, then twice as long each time up to 30 seconds, until it succeeds', () => {
    let time = 1_000_000
    const pauses = createPauses(() => time)
    const waits = [400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000]
    for (const wait of waits) {
      expect(pauses.has('one')).toBe(false)
      pauses.failed('one')
      time += wait - 1
      expect([pauses.has('one'), pauses.has('other'), pauses.keys()]).toEqual([true, false, ['one']])
      time += 1
      expect(pauses.keys()).toEqual([])
    }
    pauses.failed('one')
    pauses.done('one')
    expect(pauses.has('one')).toBe(false)
    pauses.failed('one')
    time += 400
    expect(pauses.has('one')).toBe(false)
  })

  test('does not wait longer because the clock was set back', () => {
    let time = 1_000_000
    const pauses = createPauses(() => time)
    for (let failures = 0; failures < 8; failures++) pauses.failed('one')
    expect(pauses.has('one')).toBe(true)
    time -= 1
    expect(pauses.has('one')).toBe(false)
  })
})
