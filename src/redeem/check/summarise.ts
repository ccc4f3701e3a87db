import { formatAmount } from '../../core/amount/formatAmount.ts'
import { networkOf } from '../../evm/networks.ts'
import type { RedeemTerms } from '../preparedRedeem.ts'
import type { RedeemIntent } from './redeemIntent.ts'

/** Raw units of a 6-decimal dollar token as text: `10.25`. */
export const usd = (amount: bigint) => formatAmount(amount, { decimals: 6, minimumPlaces: 2 })

/** What a redeem does, in words that a person can decide on. */
export function summarise(
  { chainId, request, pinned }: RedeemTerms,
  { amount, usdcAmount }: RedeemIntent,
  gasFee: bigint,
  validBefore: bigint,
): string {
  const data = request.transactionData
  const what =
    data.type === 'token'
      ? `Sends ${usd(amount)} USDC to ${data.destination}`
      : data.type === 'decent'
        ? `Calls ${data.contractAddress} on chain ${data.dstChainId} with ${data.cost.amount} raw units of ${data.dstToken}`
        : `Calls ${data.transaction.to} (${data.transaction.data.slice(0, 10)}) with up to ${usd(amount)} USDC`
  return `${what} on ${networkOf({ chainId }).name}. Pays ${usd(amount - usdcAmount)} USD from credits of ${JSON.stringify(pinned.creditSeed)}${
    usdcAmount > 0n ? `, ${usd(usdcAmount)} USDC` : ''
  } and at most ${usd(gasFee)} USD for gas. Valid until ${new Date(Number(validBefore) * 1000).toISOString()}.`
}
