import type { RedeemRequest } from '../../evm/creditPermit/redeemIntent.ts'
import type { RedeemOptions } from '../../redeem/redeemOptions.ts'
import type { Redeemkit } from '../kit/createRedeemkit.ts'

/** What is paid for. */
export type PurchaseParameters = RedeemRequest & {
  /**
   * The merchant's order id: 1 to 256 visible characters. One id stands for one price and one cart, and is paid once. Draw ids at
   * random: an id that can be guessed can be recognized on chain.
   */
  purchaseId?: RedeemOptions['purchaseId']
  /** Data for the merchant's webhooks: any plain object. */
  webhookInfo?: RedeemOptions['webhookInfo']
  /** Default: the wallet's chain where it is pinned, else the first pinned. */
  chainId?: number | undefined
}

/** What is paid for, and by which kit. */
export type RedeemParameters = PurchaseParameters & { kit: Redeemkit }
