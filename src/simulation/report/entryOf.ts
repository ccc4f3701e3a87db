import type { Hex } from 'viem'
import { settlementKinds } from '../../evm/transactionData/settlementKinds.ts'
import type { ReportedEntry } from '../redeemReport.ts'
import type { RedeemPlan } from '../run/redeemPlan.ts'
import { readAllowedSelectors, readEntry } from './readChain.ts'

/** What the whitelist says of the call. */
export async function entryOf(plan: RedeemPlan): Promise<ReportedEntry> {
  const { client, creditsContract, blockNumber, request } = plan
  const { kind, target, data, bridge } = request.settlement
  const none = { isAllowed: false, minimumGas: undefined, forbidden: undefined, allowedSelectors: [] }
  if (kind === settlementKinds.token) return { ...none, isNeeded: false, isAllowed: true }
  const chainId = kind === settlementKinds.decent ? bridge.dstChainId : BigInt(plan.chainId)
  // shorter data has no selector, and no entry
  const selector = data.slice(0, 10).padEnd(10, '0') as Hex
  const key = { creditSeed: request.permit.creditSeed, chainId, target, creditsContract, blockNumber }
  const { isAllowed, minimumGas } = await readEntry(client, { ...key, selector })
  if (isAllowed) return { ...none, isNeeded: true, isAllowed, minimumGas }
  return { ...none, isNeeded: true, allowedSelectors: await readAllowedSelectors(client, key) }
}
