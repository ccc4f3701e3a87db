import { centsToAmount } from '../../core/amount/centsToAmount.ts'
import type { MockWorld } from './mockWorld.ts'

/** What a wallet has, raw units; one that was never seen has what the settings say. */
export function fundsOf(world: MockWorld, wallet: string): { credits: bigint; usdc: bigint } {
  const key = wallet.toLowerCase()
  const { creditsCents, usdcCents } = world.settings
  const funds = world.funds.get(key) ?? {
    credits: centsToAmount(creditsCents),
    usdc: centsToAmount(usdcCents),
  }
  world.funds.set(key, funds)
  return funds
}
