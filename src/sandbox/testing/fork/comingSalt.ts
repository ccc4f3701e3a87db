import { encodePacked, type Hex, keccak256 } from 'viem'
import type { ForkClient } from './forkClient.ts'

/**
 * The salt of the next redeem on a chain: another one for each, and the same at the next run, whatever else is done to the chain. What
 * a redeem asks of a recorded fork hangs on its salt, because USDC writes down which nonces were used.
 *
 * @param operator sends a transaction for each redeem, and none besides
 */
export async function comingSalt(client: ForkClient, operator: Hex): Promise<Hex> {
  const redeems = await client.getTransactionCount({ address: operator })
  return keccak256(encodePacked(['string', 'uint256'], ['redeemkit fork', BigInt(redeems)]))
}
