import type { Environment, EvmBlockchain, RedeemPins } from 'redeemkit'

/**
 * What the shop's own server tells its page, as `/shop.json`.
 *
 * Addresses and pins are the shop's configuration, never the payments service's word: they are what the page trusts. A shop
 * in production has them in its build.
 */
export type ShopConfig = {
  merchantId: string
  blockchain: EvmBlockchain
  environment: Environment
  chainId: number
  /** The payments service. */
  baseUrl: string
  /** A node of the chain. */
  rpcUrl: string
  pinned: RedeemPins
  /** The contract that sells the moths. */
  cabinet: `0x${string}`
  /** Who is paid what a bill says. */
  keeper: `0x${string}`
  /** Key of a wallet for visitors who have none: public, and worth nothing outside of this machine. */
  testWalletKey?: `0x${string}` | undefined
}
