import { and, eq, inArray, or } from 'drizzle-orm'
import { type Hex, parseTransaction } from 'viem'
import { type RedeemRequest, readRedeems } from '../../simulation/redeemRequest.ts'
import { transactions } from '../../store/tables/index.ts'
import type { StoredRedeem } from '../redeem/redeemRows.ts'
import type { Service } from '../service.ts'

/** A redeem as its transaction carries it, with its place in a batch. */
export type RedeemInCall = { request: RedeemRequest; item: number }

/**
 * What the transactions of redeems carry, in their order; undefined for one that this service did not send: a stranger may have
 * relayed it.
 */
export async function redeemCalls(
  service: Pick<Service, 'database' | 'chains'>,
  redeems: readonly StoredRedeem[],
): Promise<(RedeemInCall | undefined)[]> {
  if (redeems.length === 0) return []
  const database = await service.database()
  const hashes = new Map<number, Hex[]>()
  for (const { blockchain, hash } of redeems) {
    const chainId = service.chains.get(blockchain)?.chainId
    if (chainId !== undefined) hashes.set(chainId, [...(hashes.get(chainId) ?? []), hash])
  }
  const sent = await database
    .select({ chainId: transactions.chainId, hash: transactions.hash, raw: transactions.raw })
    .from(transactions)
    .where(
      or(
        ...[...hashes].map(([chainId, some]) =>
          and(eq(transactions.chainId, chainId), inArray(transactions.hash, some)),
        ),
      ),
    )
  return redeems.map((redeem) => {
    const chainId = service.chains.get(redeem.blockchain)?.chainId
    const found = sent.find((one) => one.chainId === chainId && one.hash === redeem.hash)
    return found && redeemIn(parseTransaction(found.raw).data ?? '0x', redeem)
  })
}

/** The redeem of a wallet and nonce in call data. */
export function redeemIn(
  data: Hex,
  { wallet, nonce }: Pick<StoredRedeem, 'wallet' | 'nonce'>,
): RedeemInCall | undefined {
  for (const [item, request] of readRedeems(data).entries())
    if (
      request?.permit.customerWallet.toLowerCase() === wallet.toLowerCase() &&
      request.permit.nonce.toLowerCase() === nonce.toLowerCase()
    )
      return { request, item }
  return undefined
}
