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
  /** Takes the USDC of `decent` redeems. Default: read from the pinned credits contract. */
  bridgeAdapter?: Address | undefined
  /** Earlier credits contracts of this chain, in which an order may have been paid. */
  formerContracts?: readonly Address[] | undefined
  /** The highest gas fee to accept, in US cents. Default 100. */
  maxGasFeeCents?: number | undefined
  /**
   * Whether a permit's nonce commits to what it pays for (PROTOCOL.md 4). Default true. `false` is for services that know no
   * such nonces (PROTOCOL.md 4.4): their relayer is trusted to pay for the request and nothing else, up to the permit's amount.
   */
  intentBound?: boolean | undefined
  /**
   * What a service with `intentBound: false` takes for the part in USDC, where its answer does not say. Default
   * `ReceiveWithAuthorization`, which nobody but the credits contract can execute.
   */
  usdcAuthorizationType?: 'ReceiveWithAuthorization' | 'TransferWithAuthorization' | undefined
}
