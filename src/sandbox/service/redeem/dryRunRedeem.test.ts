import { expect, test } from 'vitest'
import type { EvmChain } from '../../chains/evmChain.ts'
import type { Service } from '../service.ts'
import { dryRunRedeem } from './dryRunRedeem.ts'
import { gasFeeOf, gasOfShape } from './gasFee.ts'

/** 20,000 gas at 10 gwei and 2,500.00 USD per coin cost 0.50 USD. */
const fee = 500_000n
type Amounts = {
  fromCredits?: bigint
  credits?: bigint
  permit?: bigint
  gasFeePayer?: 'customer' | 'merchant'
}

/** Returns the charge for a redeem of 6 USD from credits, whose gas was measured before. */
function charge({
  fromCredits = 6_000_000n,
  credits = 10_000_000n,
  permit = 10_000_000n,
  gasFeePayer = 'customer',
}: Amounts) {
  const noRow = { update: () => ({ set: () => ({ where: async () => {} }) }) }
  return dryRunRedeem(
    { settings: { gasFeePayer }, database: async () => noRow } as unknown as Service, // no other field is read
    {
      redeem: { chain: { chainId: 84_532, nativePriceCents: () => 250_000n }, nonce: '0x12' },
      permit: { amount: permit },
      request: (gasFee: bigint) => ({ gasFee }),
      fromCredits,
      credits,
      price: { expected: 10n ** 10n },
      gas: 20_000n,
    } as never, // only these fields are read without a simulation
  )
}

test.each<[string, Amounts, bigint, bigint]>([
  ['the fee is added', {}, fee, 6_000_000n + fee],
  ['the merchant pays the fee', { gasFeePayer: 'merchant' }, 0n, 6_000_000n],
  ['it is exactly the permit’s amount', { permit: 6_000_000n + fee }, fee, 6_000_000n + fee],
  ['it is exactly the wallet’s credits', { credits: 6_000_000n + fee }, fee, 6_000_000n + fee],
  ['USDC pays all but the fee', { fromCredits: 0n }, fee, fee],
])('computes the charge if %s', async (_, amounts, gasFee, charged) => {
  expect(await charge(amounts)).toEqual({ request: { gasFee }, gas: 20_000n, gasFee, charged })
})

test.each<[string, Amounts, string]>([
  ['above the permit’s amount', { permit: 6_000_000n + fee - 1n }, 'EXCEEDS_AUTHORIZED'],
  ['above the wallet’s credits', { credits: 6_000_000n + fee - 1n }, 'INSUFFICIENT_CREDITS'],
  ['above both', { permit: 6_000_000n, credits: 6_000_000n }, 'EXCEEDS_AUTHORIZED'],
  [
    'above the wallet’s credits, without a fee',
    { credits: 5_999_999n, gasFeePayer: 'merchant' },
    'INSUFFICIENT_CREDITS',
  ],
])('rejects a charge %s', async (_, amounts, code) => {
  await expect(charge(amounts)).rejects.toMatchObject({ code })
})

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
