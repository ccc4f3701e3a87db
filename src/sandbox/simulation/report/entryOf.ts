import type { Hex } from 'viem'
import { settlementKinds } from '../../../redeemkit/evm/transactionData/settlementOf.ts'
import type { ReportedEntry } from '../redeemReport.ts'
import type { RedeemPlan } from '../run/redeemPlan.ts'
import { readAllowedSelectors, readEntry } from './readChain.ts'

/** What the whitelist says of the call. */
export async function entryOf(plan: RedeemPlan): Promise<ReportedEntry> {
  const none = { isAllowed: false, minimumGas: undefined, forbidden: undefined, allowedSelectors: [] }
  if (plan.request.settlement.kind === settlementKinds.token)
    return { ...none, isNeeded: false, isAllowed: true }
  const key = entryKeyOf(plan)
  const { isAllowed, minimumGas } = await readEntry(plan.client, key)
  if (isAllowed) return { ...none, isNeeded: true, isAllowed, minimumGas }
  return { ...none, isNeeded: true, allowedSelectors: await readAllowedSelectors(plan.client, key) }
}

/** Which entry a redeem needs: of a decent one on the chain where the call is made. */
export function entryKeyOf({ request, chainId, creditsContract, blockNumber }: RedeemPlan) {
  const { kind, target, data, bridge } = request.settlement
  return {
    creditSeed: request.permit.creditSeed,
    chainId: kind === settlementKinds.decent ? bridge.dstChainId : BigInt(chainId),
    target,
    // shorter data has no selector, and no entry
    selector: data.slice(0, 10).padEnd(10, '0') as Hex,
    creditsContract,
    blockNumber,
  }
}
