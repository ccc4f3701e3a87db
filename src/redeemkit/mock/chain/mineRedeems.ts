import { fundsOf } from '../service/fundsOf.ts'
import { type MockWorld, minedAttempt, orderOf } from '../service/mockWorld.ts'
import { blockNumberAt } from './blocks.ts'

/** Puts every redeem whose time has come into a block: charged, or reverted, as the settings say. */
export function mineRedeems(world: MockWorld): void {
  const { chain, minesAfterMs } = world.settings
  if (chain === 'waits' || chain === 'fails') return
  const now = world.terms.now()
  for (const redeem of world.redeems.values()) {
    if (redeem.status !== 'pending' || redeem.submittedAt + minesAfterMs > now) continue
    redeem.blockNumber = blockNumberAt(world, now)
    const { wallet, nonce } = redeem
    // The contract redeems one attempt of an order.
    const isUsed =
      world.cancelled.has(orderOf(wallet, nonce)) || minedAttempt(world, wallet, nonce) !== undefined
    redeem.status = chain === 'reverts' || isUsed ? 'reverted' : 'mined'
    if (redeem.status === 'reverted') continue
    const funds = fundsOf(world, redeem.wallet)
    funds.credits -= redeem.amount - redeem.usdcAmount + redeem.gasFee
    funds.usdc -= redeem.usdcAmount
  }
}
