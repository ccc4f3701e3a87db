import { expect } from 'vitest'
import type { Visitor } from './newVisitor.ts'

/**
 * One redeem on the chain and one payment, and nothing gone from the visitor but that and its fee.
 *
 * @param options.taken what the shop took of the price, in raw units of USDC; the rest is back as credits. Default: all of it
 */
export async function expectPaidOnce(
  visitor: Pick<Visitor, 'onChain'>,
  options: { cents: number; usdcCents?: number; taken?: bigint | undefined },
): Promise<void> {
  const { cents, usdcCents = 0, taken = BigInt(cents) * 10_000n } = options
  const { redeems, paid, usdcSpent, creditsSpent } = await visitor.onChain()
  const inUsdc = BigInt(usdcCents) * 10_000n
  expect({ redeems, paid, usdcSpent }).toEqual({ redeems: 1, paid: taken, usdcSpent: inUsdc })
  const fee = creditsSpent - (taken - inUsdc)
  expect(fee).toBeGreaterThan(0n)
  expect(fee).toBeLessThan(1_000_000n)
}

export async function expectNothingPaid(visitor: Pick<Visitor, 'onChain'>): Promise<void> {
  expect(await visitor.onChain()).toEqual({
    redeems: 0,
    paid: 0n,
    moths: [],
    creditsSpent: 0n,
    usdcSpent: 0n,
  })
}
