import type { RedeemPins } from 'redeemkit'

/** What the pages of the bench are told by the one who opens them. */
export type Settings = {
  baseUrl: string
  rpcUrl: string
  merchantId: string
  pinned: RedeemPins
  shop: `0x${string}`
  purchaseId: string
  usdcCents: number
}

declare global {
  interface Window {
    settings: Settings
  }
}
