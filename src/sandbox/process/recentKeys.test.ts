import { expect, test } from 'vitest'
import { recentKeys } from './recentKeys.ts'

test('what happened after a moment is told, of its own key only', () => {
  const recent = recentKeys()
  recent.note('a')
  const moment = recent.now()
  expect(recent.isSince('a', moment)).toBe(false)
  recent.note('b')
  expect(recent.isSince('a', moment)).toBe(false)
  expect(recent.isSince('b', moment)).toBe(true)
})

test('what is remembered has a bound; beyond it everything counts as outdated, and what comes later does not', () => {
  const recent = recentKeys({ most: 2 })
  const moment = recent.now()
  for (const key of ['a', 'b', 'c']) recent.note(key)
  expect(recent.isSince('never', moment)).toBe(true)
  expect(recent.isSince('a', recent.now())).toBe(false)
})
