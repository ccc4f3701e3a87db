import type { Hex } from 'viem'
import type { RedeemRequest } from './redeemIntent.ts'

/** The purchase that a page hands to a wallet (PROTOCOL.md 4.7). */
export type DisclosedIntent = {
  readonly version: 1
  readonly merchantId: string
  readonly purchaseId?: string | undefined
  readonly salt: Hex
  readonly request: Pick<RedeemRequest, 'subtotal' | 'usdcAmount' | 'transactionData'>
}
