import { expect, test } from 'vitest'
import { withHeadroom } from './withHeadroom.ts'

test.each([
  { estimated: 100_000n, gas: 125_000n },
  { estimated: 16_777_216n, gas: 16_777_216n },
  // A chain that executes it accepts more than EIP-7825 does.
  { estimated: 16_777_217n, gas: 20_971_521n },
])('$estimated gas gets $gas, within what nodes accept', ({ estimated, gas }) => {
  expect(withHeadroom(estimated)).toBe(gas)
})
