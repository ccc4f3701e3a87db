import { expect, test } from 'vitest'
import { recentKeys } from './recentKeys.ts'

test('detects changes of the same key after a moment', () => {
  const recent = recentKeys()
  recent.note('a')
  const moment = recent.now()
  expect(recent.isSince('a', moment)).toBe(false)
  recent.note('b')
  expect(recent.isSince('a', moment)).toBe(false)
  expect(recent.isSince('b', moment)).toBe(true)
})

test('treats every earlier moment as outdated beyond its maximum', () => {
  const recent = recentKeys({ most: 2 })
  const moment = recent.now()
  for (const key of ['a', 'b', 'c']) recent.note(key)
  expect(recent.isSince('never', moment)).toBe(true)
  expect(recent.isSince('a', recent.now())).toBe(false)
})
