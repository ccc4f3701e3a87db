import { expect, test } from 'vitest'
import type { EvmChain } from '../../chains/evmChain.ts'
import { gasFeeOf, gasOfShape } from './gasFee.ts'

const price = (expected: bigint) => ({ base: 0n, expected, maximum: 0n, priority: 0n, timestamp: 0n })
/** A chain with this price of its native coin, in cents. */
const chain = (coinCents: bigint, chainId = 84532) =>
  ({ chainId, nativePriceCents: async () => coinCents }) as unknown as EvmChain // no other field is read

test.each([
  // 100,000 gas at 1 gwei cost 0.0001 coins.
  ['a fee of exact cents is not rounded', 300_000n, 100_000n, 30n],
  ['a fraction of a cent is rounded up', 300_001n, 100_000n, 31n],
  ['the smallest fraction is rounded up', 10_000n, 100_001n, 2n],
  ['a fee is never zero', 1n, 1n, 1n],
  ['a fee is not zero even if the coin’s price is zero', 0n, 100_000n, 1n],
])('%s', async (_, coinCents, gas, cents) => {
  expect(await gasFeeOf(chain(coinCents), gas, price(1_000_000_000n))).toBe(cents * 10_000n)
})

const intent = (shape: 'token' | 'normal', bytes: number, usdcAmount: bigint) =>
  ({ shape, usdcAmount, settlement: { data: `0x${'12'.repeat(bytes)}` } }) as never // no other field is read

test.each([
  ['a token', intent('token', 0, 0n), 180_000n],
  ['a call includes its bytes', intent('normal', 100, 0n), 401_600n],
  ['a token and a USDC part', intent('token', 0, 1n), 300_000n],
])('the generous gas estimate for %s', (_, asked, gas) => {
  expect(gasOfShape(chain(0n), asked)).toBe(gas)
})

test('the generous gas estimate is five times as high on Tempo', () => {
  expect(gasOfShape(chain(0n, 42431), intent('token', 0, 0n))).toBe(900_000n)
})
