import type { RedeemPins } from 'redeemkit'

/** Settings that the bench passes to its pages. */
export type Settings = {
  baseUrl: string
  rpcUrl: string
  merchantId: string
  pinned: RedeemPins
  shop: `0x${string}`
  purchaseId: string
  usdcCents: number
  /** Where x402 pays. */
  sellerUrl: string
}

declare global {
  interface Window {
    settings: Settings
  }
}
