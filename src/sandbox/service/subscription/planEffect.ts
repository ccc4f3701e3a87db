import type { Blockchain } from '../../../redeemkit/core/blockchains.ts'
import { isEvmBlockchain } from '../../../redeemkit/core/blockchains.ts'
import { type TransactionData, transactionData } from '../../../redeemkit/schema/transactionData.ts'

/**
 * What each payment of a plan does (PROTOCOL.md 10.5): `transaction` on the plan's `settlementChain`, as JSON of transactionData on
 * EVM chains, as base64 XDR on Stellar.
 *
 * @returns undefined for a transaction that cannot be read, or of a chain on which none is settled
 */
export function planEffect(plan: {
  transaction?: string | null | undefined
  settlementChain?: Blockchain | null | undefined
}): PlanEffect | undefined {
  const { transaction, settlementChain } = plan
  if (transaction === undefined || transaction === null) return {}
  if (settlementChain === 'stellar') return { stellarTransaction: transaction }
  if (settlementChain === undefined || settlementChain === null || !isEvmBlockchain(settlementChain))
    return undefined
  const parsed = transactionData.safeParse(readJson(transaction))
  return parsed.success ? { transactionData: parsed.data } : undefined
}

export type PlanEffect = {
  transactionData?: TransactionData | undefined
  stellarTransaction?: string | undefined
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
