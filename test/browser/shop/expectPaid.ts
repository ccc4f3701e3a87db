import { expect } from 'vitest'
import type { Visitor } from './newVisitor.ts'

/** One redeem on the chain and one payment to the house, and nothing gone from the visitor but that and its fee. */
export async function expectPaidOnce(
  visitor: Pick<Visitor, 'onChain'>,
  { cents, usdcCents = 0 }: { cents: number; usdcCents?: number },
): Promise<void> {
  const { redeems, paid, usdcSpent, creditsSpent } = await visitor.onChain()
  const raw = (of: number) => BigInt(of) * 10_000n
  expect({ redeems, paid, usdcSpent }).toEqual({ redeems: 1, paid: raw(cents), usdcSpent: raw(usdcCents) })
  const fee = creditsSpent - raw(cents - usdcCents)
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
