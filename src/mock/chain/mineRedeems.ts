import { fundsOf } from '../service/fundsOf.ts'
import type { MockWorld } from '../service/mockWorld.ts'
import { blockNumberAt } from './blocks.ts'

/** Puts every redeem whose time has come into a block: charged, or reverted, as the settings say. */
export function mineRedeems(world: MockWorld): void {
  const { chain, minesAfterMs } = world.settings
  if (chain === 'waits' || chain === 'fails') return
  const now = world.terms.now()
  for (const [key, redeem] of world.redeems) {
    if (redeem.status !== 'pending' || redeem.submittedAt + minesAfterMs > now) continue
    redeem.blockNumber = blockNumberAt(world, now)
    redeem.status = chain === 'reverts' || world.cancelled.has(key) ? 'reverted' : 'mined'
    if (redeem.status === 'reverted') continue
    const funds = fundsOf(world, redeem.wallet)
    funds.credits -= redeem.amount - redeem.usdcAmount + redeem.gasFee
    funds.usdc -= redeem.usdcAmount
  }
}
