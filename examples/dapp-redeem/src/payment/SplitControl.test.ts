import { expect, test } from 'vitest'
import { centsOf } from './SplitControl.tsx'

test.each([
  ['4', 400],
  ['4.5', 450],
  ['4,50', 450],
  ['$12.34', 1234],
  [' 0.07 ', 7],
  ['24.50', 2450],
])('%s is %i cents', (text, cents) => {
  expect(centsOf(text, 2450)).toBe(cents)
})

test.each(['', '24.51', '-1', '1.234', '1e2', '0x10', '4.5.0', 'four'])('%s is no part of 24.50', (text) => {
  expect(centsOf(text, 2450)).toBeUndefined()
})
