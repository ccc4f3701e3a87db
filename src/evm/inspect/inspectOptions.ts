import type { Address } from 'viem'
import type { Clock } from '../../core/time/clock.ts'
import type { UsdcTokenOverride } from '../usdcAuthorization/usdcAuthorization.ts'

/** What a request is held against. What is left out is not compared, and a finding says so where it matters. */
export type InspectOptions = {
  /** The account that is asked to sign. */
  address?: Address | undefined
  /** The chain that the wallet stands on. */
  chainId?: number | undefined
  /** What the caller trusts (decisions, section 3). */
  pinned?:
    | {
        creditsContract: Address
        creditSeed?: string | undefined
        /** EIP-712 name of the credits contract. Default `Credits`. */
        domainName?: string | undefined
      }
    | undefined
  /** Takes permits whose nonce is not bound to an intent. Default false. */
  allowUnbound?: boolean | undefined
  /** Hosts, with port where there is one, that may ask to sign in. */
  domains?: readonly string[] | undefined
  /** A test token in place of the chain's pinned USDC. */
  token?: UsdcTokenOverride | undefined
  /** Milliseconds since 1970. Default `Date.now`. */
  now?: Clock | undefined
}
