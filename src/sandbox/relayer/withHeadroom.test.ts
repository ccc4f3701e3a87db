import { expect, test } from 'vitest'
import { withHeadroom } from './withHeadroom.ts'

test.each([
  { estimated: 100_000n, gas: 125_000n },
  { estimated: 16_777_216n, gas: 16_777_216n },
  // A chain that executes this much gas accepts more than EIP-7825 allows.
  { estimated: 16_777_217n, gas: 20_971_521n },
])('an estimate of $estimated gas gets the limit $gas, which nodes accept', ({ estimated, gas }) => {
  expect(withHeadroom(estimated)).toBe(gas)
})
