import type { Address } from 'viem'

/**
 * What the caller trusts on one chain. It comes from the caller's own code or configuration, never from the service:
 * what is not pinned is refused (PROTOCOL.md 3.2).
 */
export type RedeemPins = {
  /** The credits contract. */
  creditsContract: Address
  /** Name of the merchant's credit balance. */
  creditSeed: string
  /** The chain of the contract. */
  chainId?: number | undefined
  /** EIP-712 name of the contract. Default `Credits`. */
  domainName?: string | undefined
  /** EIP-712 version of the contract. Default `1`. */
  domainVersion?: string | undefined
  /** The highest gas fee to accept, in US cents. Default 100. */
  maxGasFeeCents?: number | undefined
}
