import type { TransactionData } from '../../schema/transactionData.ts'
import { type SettlementKind, settlementKindOf, settlementShapes } from './settlementKinds.ts'
import { type Settlement, settlementOf } from './settlementOf.ts'

/**
 * Says in words what a `transactionData` does: the beginning of a sentence that goes on with "on Base".
 *
 * @param amountText what it may spend, in dollars
 */
export function describeTransactionData(transactionData: TransactionData, amountText: string): string {
  const settlement = settlementOf(transactionData)
  return words[settlementShapes[settlementKindOf(settlement.kind)].does](settlement, amountText)
}

export declare namespace describeTransactionData {
  type ErrorType = settlementOf.ErrorType
}

const words: Record<
  (typeof settlementShapes)[SettlementKind]['does'],
  (settlement: Settlement, amountText: string) => string
> = {
  transfer: ({ target }, amountText) => `Sends ${amountText} USDC to ${target}`,
  call: ({ target, data }, amountText) =>
    `Calls ${target} (${data.slice(0, 10)}) with up to ${amountText} USDC`,
  bridge: ({ target, bridge }) =>
    `Calls ${target} on chain ${bridge.dstChainId} with ${bridge.cost} raw units of ${bridge.dstToken}`,
}
