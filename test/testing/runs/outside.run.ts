import { setupFork } from '@redeemkit/sandbox/testing/vitest'
import { expect, test } from 'vitest'

const fork = setupFork({ blockchain: 'base' })
const { usdc } = fork

test('never runs', () => {
  expect(usdc).toBeUndefined()
})
