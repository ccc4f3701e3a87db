import { describe, expect, test } from 'vitest'
import { periodStart } from './billSubscriptions.ts'

const start = (anchor: string, ...rest: [Parameters<typeof periodStart>[1], number]) =>
  periodStart(new Date(anchor), ...rest).toISOString()

describe('a period begins', () => {
  test.each([
    ['2026-01-31T10:00:00.000Z', 'Monthly', 1, '2026-02-28T10:00:00.000Z'],
    ['2026-01-31T10:00:00.000Z', 'Monthly', 2, '2026-03-31T10:00:00.000Z'],
    ['2026-01-31T10:00:00.000Z', 'Monthly', 3, '2026-04-30T10:00:00.000Z'],
    ['2028-01-31T10:00:00.000Z', 'Monthly', 1, '2028-02-29T10:00:00.000Z'],
    ['2026-12-31T23:59:59.999Z', 'Monthly', 2, '2027-02-28T23:59:59.999Z'],
    ['2028-02-29T00:00:00.000Z', 'Yearly', 1, '2029-02-28T00:00:00.000Z'],
    ['2028-02-29T00:00:00.000Z', 'Yearly', 4, '2032-02-29T00:00:00.000Z'],
    ['2100-02-28T00:00:00.000Z', 'Daily', 1, '2100-03-01T00:00:00.000Z'],
    ['2026-05-01T12:30:00.000Z', 'Weekly', 5, '2026-06-05T12:30:00.000Z'],
    ['2026-05-01T12:30:00.000Z', 'Monthly', 0, '2026-05-01T12:30:00.000Z'],
  ] as const)('%s %s %i', (anchor, interval, n, expected) => {
    expect(start(anchor, interval, n)).toBe(expected)
  })
})
