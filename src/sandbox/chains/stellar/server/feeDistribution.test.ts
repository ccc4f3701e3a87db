import { expect, test } from 'vitest'
import { feeDistribution } from './feeDistribution.ts'

test('percentiles are fees that were paid', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => BigInt(index + 1))
  expect(feeDistribution(hundred)).toMatchObject({ min: '1', p10: '10', p50: '50', p99: '99', max: '100' })
})
test('the mode is the most frequent', () => {
  expect(feeDistribution([100n, 300n, 300n, 200n]).mode).toBe('300')
})
test('one fee is all of them', () => {
  expect(feeDistribution([250n])).toMatchObject({ min: '250', p10: '250', max: '250', mode: '250' })
})
test('without a fee all are the least that a ledger takes', () => {
  expect(feeDistribution([])).toMatchObject({ min: '100', p95: '100', max: '100', mode: '100' })
})
