import { sameAddress } from '../trace/sameAddress.ts'
import type { EconomicContext } from './economicContext.ts'
import type { Circumstances } from './rule.ts'

/**
 * What the contracts store in a further run, as text for two runs to be compared. USDC, the credits contract, the wallet and who
 * sends are left out.
 */
export async function storedBy(context: EconomicContext, circumstances: Circumstances): Promise<string> {
  const { changes, usdc, creditsContract, redeem } = context
  const left = [usdc, creditsContract, redeem.wallet]
  const stored = await changes(circumstances)
  return JSON.stringify(stored.filter(({ address }) => !left.some((one) => sameAddress(one, address))))
}
