import type { Hex } from 'viem'
import type { Finding } from '../core/finding/finding.ts'
import type { RedeemOutcome } from './chain/lookUpRedeem.ts'
import type { OpenRedeem } from './openRedeem.ts'
import type { PreparedRedeem } from './preparedRedeem.ts'

/**
 * A redeem of which everything was checked that needs a network, so that the wallet can be asked at once. Plain data: survives
 * `JSON.stringify`. `redeem` compares all of it with the request and the pins again.
 */
export type ReadyRedeem = {
  readonly version: 1
  readonly state: 'ready'
  /** What the wallet is asked to sign, with `summary`, `gasFee` and `findings` for the person. */
  readonly prepared: PreparedRedeem
  /** What the wallet is asked for: the USDC authorization alone when an earlier click had the permit signed. */
  readonly prompts: readonly ('creditPermit' | 'usdcAuthorization')[]
  /** Unix seconds, when the checks began. */
  readonly checkedAt: string
  /** Unix seconds from which on it is not used any more: check again before. */
  readonly usableUntil: string
  /** Whether there is code at the wallet. There when a chain was read. */
  readonly hasCode?: boolean | undefined
  /** What was found of the order on other chains, or could not be read there: for the person. */
  readonly elsewhere?: readonly Finding[] | undefined
}

/** Where a purchase stands before its button is clicked. */
export type CheckedPurchase =
  | ReadyRedeem
  /** It was signed by an earlier click, and may have been sent: `redeem` goes on with it, and looks at the chain first. */
  | { readonly state: 'open'; readonly open: OpenRedeem }
  /**
   * It is paid: `redeem` reports it, and asks no wallet. `outcome` is what moved, as the chain of the `publicClient` tells it; absent when
   * that could not be read or found. Its amounts are bigints, which `JSON.stringify` refuses.
   */
  | {
      readonly state: 'redeemed'
      readonly nonce: Hex
      readonly hash?: Hex | undefined
      readonly outcome?: RedeemOutcome | undefined
    }
