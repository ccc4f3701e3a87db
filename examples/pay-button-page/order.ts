import type { Environment, EvmBlockchain, RedeemPins } from 'redeemkit'

/**
 * What your server says of an order, as `order.json` beside the page.
 *
 * Addresses and pins are your own configuration, never the payments service's word: they are what the page trusts.
 */
export type Order = {
  /** Your order id: the page pays it once, ever. */
  id: string
  title: string
  cents: number
  /** Part of it that is paid in USDC; the rest comes from credits. */
  usdcCents?: number
  /** Who gets the money. */
  shop: `0x${string}`
  merchantId: string
  blockchain: EvmBlockchain
  environment: Environment
  chainId: number
  /** The payments service. */
  baseUrl: string
  /** A node of the chain. */
  rpcUrl: string
  pinned: RedeemPins
  /** How long the page waits for the chain before it says that nothing is certain yet. */
  timeoutMs?: number
}
