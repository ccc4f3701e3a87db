import type { Hex } from 'viem'
import type { Finding } from '../core/finding/finding.ts'
import type { RedeemOutcome } from './chain/lookUpRedeem.ts'
import type { OpenRedeem } from './openRedeem.ts'
import type { PreparedRedeem } from './preparedRedeem.ts'

/**
 * A redeem whose network checks are done, so the wallet can open immediately. Plain data, safe for `JSON.stringify`. `redeem` compares
 * it with the request and the pins again.
 */
export type ReadyRedeem = {
  readonly version: 1
  readonly state: 'ready'
  /** What the wallet will sign, with `summary`, `gasFee` and `findings` for the customer. */
  readonly prepared: PreparedRedeem
  /** Wallet prompts that `redeem` opens: only the USDC authorization if an earlier click signed the permit. */
  readonly prompts: readonly ('creditPermit' | 'usdcAuthorization')[]
  /** Unix seconds when the checks began. */
  readonly checkedAt: string
  /** Unix seconds when the result expires. Check again before. */
  readonly usableUntil: string
  /** Whether the wallet has code. Set if a chain was read. */
  readonly hasCode?: boolean | undefined
  /** Whether the wallet accepts the purchase with a signing request (PROTOCOL.md 4.7). Set if a `signer` was passed. */
  readonly takesIntent?: boolean | undefined
  /** Findings about the order on other chains, for the customer. */
  readonly elsewhere?: readonly Finding[] | undefined
}

/** State of a purchase before its button is clicked. */
export type CheckedPurchase =
  | ReadyRedeem
  /** A signed redeem may already be submitted. `redeem` checks the chain first, and resumes it. */
  | { readonly state: 'open'; readonly open: OpenRedeem }
  /**
   * The order is paid: `redeem` reports it without opening the wallet. `outcome` is missing if the chain could not be read. Its
   * amounts are bigints, which `JSON.stringify` rejects.
   */
  | {
      readonly state: 'redeemed'
      readonly nonce: Hex
      readonly hash: Hex
      readonly outcome?: RedeemOutcome | undefined
    }
