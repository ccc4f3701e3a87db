import { expect, test } from 'vitest'
import { accounts } from '../text/report.fixture.ts'
import type { EconomicContext } from './rule.ts'
import { ruleContext } from './rules.fixture.ts'
import { leftBehindOf } from './staysBehind.ts'

test.each([
  [5_000_000n, '5.00 USDC'],
  [2n ** 256n - 1n, 'all USDC'],
])('an allowance over %s', (after, what) => {
  const { shop: owner, stranger: spender } = accounts
  const ends = { tokens: [], allowances: [{ owner, spender, before: 0n, after }] }
  // the rule reads only these
  const context = { ...ruleContext(), ...ends } as unknown as EconomicContext
  expect(leftBehindOf(context)).toEqual([`an allowance of ${spender} over ${what} of ${owner}`])
})
