import { expect, test } from 'vitest'
import type { Service } from '../service.ts'
import { endOfPermit } from './checkRedeem.ts'

const now = 1_000_000n
const service = { now: () => Number(now) * 1000, settings: { permitSeconds: 1800 } } as Service // all that it reads

test.each([
  ['a year behind', now - 31_536_000n, now + 1800n],
  ['with the service', now, now + 1800n],
  ['a little ahead', now + 60n, now + 1860n],
  ['so far ahead that 30 minutes are too long for a client', now + 1800n, now + 3540n],
  ['as far ahead as leaves 5 minutes', now + 3240n, now + 3540n],
  ['one second further', now + 3241n, now + 3241n + 1800n],
  ['a year ahead', now + 31_536_000n, now + 31_537_800n],
])('a chain that is %s', (_, blockTime, end) => {
  expect(endOfPermit(service, blockTime)).toBe(end)
})
