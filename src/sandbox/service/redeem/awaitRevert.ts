import { and, eq } from 'drizzle-orm'
import type { TransactionReceipt } from 'viem'
import type { EvmChain } from '../../chains/evmChain.ts'
import { receiptOf } from '../../relayer/relayerChain.ts'
import { transactions } from '../../store/tables/index.ts'
import type { Service } from '../service.ts'
import type { StoredRedeem } from './redeemRows.ts'

/**
 * Waits until the journal says so of a redeem on its way that the chain has reverted a moment ago: the same may be sent again.
 *
 * @returns whether there was one to wait for
 */
export async function awaitRevert(service: Service, chain: EvmChain, sent: StoredRedeem): Promise<boolean> {
  if (sent.status !== 'sending') return false
  let receipt: TransactionReceipt | undefined
  try {
    receipt = await receiptOf(chain, sent.hash)
  } catch (error) {
    // A node that is away says nothing new.
    service.onError?.(error)
  }
  if (receipt?.status !== 'reverted') return false
  const database = await service.database()
  const [row] = await database
    .select({ id: transactions.id })
    .from(transactions)
    .where(and(eq(transactions.chainId, chain.chainId), eq(transactions.hash, sent.hash)))
  if (row === undefined) return false
  await service.relayer.wait(row)
  return true
}
