import { formatAmount, usdcDecimals } from '../../core/amount.ts'
import type { RedeemIntent } from '../../evm/creditPermit/redeemIntent.ts'
import { networkOf } from '../../evm/networks.ts'
import { describeTransactionData } from '../../evm/transactionData/decodeTransactionData.ts'
import type { RedeemTerms } from '../preparedRedeem.ts'

/** Formats raw units of a 6-decimal dollar token: `10.25`. */
export const usd = (amount: bigint) => formatAmount(amount, { decimals: usdcDecimals, minimumPlaces: 2 })

export function summarise(
  { chainId, request, pinned }: RedeemTerms,
  derived: Pick<RedeemIntent, 'amount' | 'usdcAmount'> & {
    gasFee: bigint
    /** Unix seconds. */
    validBefore: bigint
    intentBound: boolean
  },
): string {
  const { amount, usdcAmount, gasFee, validBefore, intentBound } = derived
  const what = describeTransactionData(request.transactionData, usd(amount))
  return `${what} on ${networkOf({ chainId }).name}. Pays ${usd(amount - usdcAmount)} USD from credits of ${JSON.stringify(pinned.creditSeed)}${
    usdcAmount > 0n ? `, ${usd(usdcAmount)} USDC` : ''
  } and at most ${usd(gasFee)} USD for gas. Valid until ${new Date(Number(validBefore) * 1000).toISOString()}.${
    intentBound
      ? ''
      : ' The permit does not commit to this purchase: you trust the service to spend it on nothing else.'
  }`
}
