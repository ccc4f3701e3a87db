import { setupFork } from '@redeemkit/sandbox/testing/vitest'
import { expect, test } from 'vitest'

const fork = setupFork({ blockchain: 'base' })
const stranger = '0x00000000000000000000000000000000000b0b04'
const coinOf = () => fork.client.getBalance({ address: stranger })

test('throws', async () => {
  await fork.fund({ wallet: stranger, coin: 1n })
  throw new Error('in the middle')
})
test('follows one that threw', async () => {
  expect(await coinOf()).toBe(0n)
})

test('takes too long', { timeout: 200 }, async () => {
  await fork.fund({ wallet: stranger, coin: 1n })
  await new Promise((resolve) => setTimeout(resolve, 600))
})
test('follows one that took too long', async () => {
  expect(await coinOf()).toBe(0n)
})

test('cannot be restored', async () => {
  // a merchant's own revert to the very first snapshot also deletes the one that was taken before the test
  await fork.client.revert({ id: '0x0' })
})
test('follows one that could not be restored', async () => {
  await fork.client.getBlockNumber()
})

test.concurrent('is one of two concurrent ones', async () => {
  await fork.client.getBlockNumber()
  await new Promise((resolve) => setTimeout(resolve, 300))
})
test.concurrent('is the other of two concurrent ones', async () => {
  await fork.client.getBlockNumber()
})
test('follows two concurrent ones', async () => {
  expect(await coinOf()).toBe(0n)
})
