import type { Environment, EvmBlockchain, RedeemPins } from 'redeemkit'

/**
 * Your server's description of an order, served as `order.json` next to the page.
 *
 * Addresses and pins come from your own configuration, never from the payments service, because the page trusts them.
 */
export type Order = {
  /** Your order ID. An order is paid only once. */
  id: string
  title: string
  cents: number
  /** Part paid in USDC; the rest comes from credits. */
  usdcCents?: number
  /** Wallet that receives the money. */
  shop: `0x${string}`
  merchantId: string
  blockchain: EvmBlockchain
  environment: Environment
  chainId: number
  baseUrl: string
  rpcUrl: string
  pinned: RedeemPins
  /** How long the page waits for the chain before it reports an uncertain outcome. */
  timeoutMs?: number
}
