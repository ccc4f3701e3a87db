import { expect, test } from 'vitest'
import { readClock, unixSeconds } from './clock.ts'

test('unixSeconds rounds down to whole seconds', () => {
  expect(unixSeconds(() => 1999)).toBe(1n)
  expect(readClock(() => 1999.5)).toBe(1999.5)
  expect(Number(unixSeconds())).toBeGreaterThan(1_700_000_000)
})

test.each([Number.NaN, Number.POSITIVE_INFINITY, -1, '2026', undefined, null, new Date()])(
  'rejects a clock that returns %s',
  (time) => {
    expect(() => readClock((() => time) as never)).toThrow(
      expect.objectContaining({ name: 'InvalidClockError', field: 'now' }),
    )
    expect(() => unixSeconds((() => time) as never)).toThrow(
      expect.objectContaining({ name: 'InvalidClockError' }),
    )
  },
)

test('rejects a clock that is not a function', () => {
  expect(() => readClock(Date as never)).toThrow(expect.objectContaining({ name: 'InvalidClockError' }))
  for (const now of [5, 'now', null, new Date()])
    expect(() => readClock(now as never)).toThrow(expect.objectContaining({ name: 'InvalidClockError' }))
})
