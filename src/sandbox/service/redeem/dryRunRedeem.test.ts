import { expect, test } from 'vitest'
import type { Service } from '../service.ts'
import { dryRunRedeem } from './dryRunRedeem.ts'

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
