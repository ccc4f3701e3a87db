import type { RedeemRequest } from '../../evm/creditPermit/redeemIntent.ts'
import type { RedeemOptions } from '../../redeem/redeemOptions.ts'
import type { Redeemkit } from '../kit/createRedeemkit.ts'

/** What is paid for. */
export type PurchaseParameters = RedeemRequest & {
  /** The merchant's order id, any text: one payment by a wallet for each id, ever. */
  purchaseId?: RedeemOptions['purchaseId']
  /** Default: the wallet's chain where it is pinned, else the first pinned. */
  chainId?: number | undefined
}

/** What is paid for, and by which kit. */
export type RedeemParameters = PurchaseParameters & { kit: Redeemkit }
