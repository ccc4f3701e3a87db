import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLoop } from './createLoop.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function counted() {
  let passes = 0
  const loop = createLoop({
    pass: async () => {
      passes++
      return false
    },
    pauseMs: 1_000,
    spacingMs: 50,
    onError: undefined,
  })
  return { loop, passes: () => passes }
}

test('starts the first pass after a rest immediately', async () => {
  const { loop, passes } = counted()
  loop.wake()
  await vi.advanceTimersByTimeAsync(0)
  expect(passes()).toBe(1)
  await vi.advanceTimersByTimeAsync(50)
  loop.wake()
  await vi.advanceTimersByTimeAsync(0)
  expect(passes()).toBe(2)
})

test('batches quick wake-ups into one pass and loses none', async () => {
  const { loop, passes } = counted()
  for (let time = 0; time < 49; time++) {
    loop.wake()
    await vi.advanceTimersByTimeAsync(1)
  }
  expect(passes()).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(passes()).toBe(2)
})

test('stops without waiting for the next pass', async () => {
  const { loop, passes } = counted()
  loop.wake()
  await vi.advanceTimersByTimeAsync(0)
  loop.wake()
  await loop.stop()
  expect(passes()).toBe(1)
})
