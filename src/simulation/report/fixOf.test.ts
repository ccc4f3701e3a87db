import { expect, test } from 'vitest'
import { frame } from '../text/report.fixture.ts'
import { reverted } from '../trace/failures.ts'
import { fixOf } from './fixOf.ts'

const failed = {
  frame: frame({ failure: reverted, output: '0x08c379a0' }),
  args: {},
  step: 'call',
} as const

test('a reason in words is quoted: Error is the name of every such error', () => {
  expect(fixOf({ ...failed, error: 'Error', reason: 'closed on Sundays' })).toMatch(
    /^See why the contract says "closed on Sundays": /,
  )
  expect(fixOf({ ...failed, error: 'SoldOut', reason: 'SoldOut: limit 5' })).toMatch(
    /^See why the contract says SoldOut: /,
  )
})

test('what the credits contract says is told apart from the same error of a merchant', () => {
  const error = 'EnforcedPause'
  expect(fixOf({ ...failed, step: 'redeem', error, reason: error })).toContain('credits contract goes on')
  expect(fixOf({ ...failed, error, reason: error })).toContain('See why the contract says EnforcedPause')
})

test('a token that cannot be handed on is the matter of its contract', () => {
  const handing = { ...failed, step: 'handing on', error: 'Error', reason: 'locked' } as const
  expect(fixOf(handing)).toContain('transfer the token to the customer')
})
