import type { Hex } from 'viem'
import type { TransactionData } from '../../redeemkit/schema/transactionData.ts'
import type { UsdcAuthorizationV1, UsdcAuthorizationV2 } from '../../redeemkit/schema/usdcAuthorization.ts'

/** What a payment does once it settles, as the checkout body said it. Plain JSON. */
export type CarriedByPayment = {
  transactionData?: TransactionData | undefined
  customerUsdcTransferData?: UsdcAuthorizationV1 | undefined
  customerUsdcTransferDataV2?: UsdcAuthorizationV2 | undefined
  /** The order that the customer's USDC authorization pays, and the salt of its nonce. */
  orderKey?: Hex | undefined
  salt?: Hex | undefined
  stellarTransaction?: string | undefined
  settlementType?: 'Credits' | 'USDC' | undefined
  /** Of `destinationAuthKey`, once it was verified: who receives instead of the merchant. */
  destination?: string | undefined
}
