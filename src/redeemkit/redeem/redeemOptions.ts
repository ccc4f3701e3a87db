import type { Address, Hex } from 'viem'
import type { Finding } from '../core/finding/finding.ts'
import type { EvmSigner } from '../evm/signer/toSigner.ts'
import type { RandomNonceOutcome } from './chain/lookUpRandomNonce.ts'
import type { RedeemOutcome } from './chain/readLogs.ts'
import type { OpenRedeem } from './openRedeem.ts'
import type { PreparedRedeem } from './preparedRedeem.ts'
import type { RequestOptions } from './prepareRedeem.ts'
import type { OtherChain } from './purchase/checkOtherContracts.ts'
import type { PurchaseStorage } from './purchase/purchaseStorage.ts'
import type { RedeemStep, withEvents } from './redeemStep.ts'
import type { signRedeem } from './signRedeem.ts'
import type { waitForRedeem } from './waitForRedeem.ts'

/** Options of `redeem`. */
export type RedeemOptions = RequestOptions &
  Pick<signRedeem.Options, 'usdcVersion' | 'publicClient' | 'signatures'> &
  Pick<waitForRedeem.Options, 'confirmations' | 'pollingIntervalMs' | 'sleep'> & {
    /**
     * Milliseconds for the submits, and as many again for the wait. Also limits how long a signature is verified again while the node does
     * not respond. Default: until the permit expires, then 120_000 ms for the wait.
     */
    timeoutMs?: number | undefined
    /** A viem account, a viem or wagmi wallet client, an EIP-1193 provider, or an ethers v6 signer. */
    signer: EvmSigner
    /**
     * Purchase storage, such as `localStorage`, so that a reload or another page resumes an open redeem. Default: memory. With
     * random nonces (`intentBound: false`, `allowRandomNonce`) it is the only protection against a second payment: a `purchaseId` then
     * needs storage with `replaceItem`, or Web Locks. An open purchase is stored with its signed permit, which can execute only that
     * purchase.
     */
    storage?: PurchaseStorage | undefined
    /**
     * Other chains on which the order may have been paid. They are read in parallel, within two seconds, before the wallet opens. An order
     * used there is a finding, or an error if an open permit of this order is recorded. They are read again if the service reports that the
     * order is paid.
     */
    otherChains?: readonly OtherChain[] | undefined
    /**
     * Result of `checkRedeem` for this purchase, so that the wallet opens immediately. A result with state `open` or `redeemed` is ignored.
     * Default: everything is checked during the call.
     */
    ready?: CheckedPurchase | undefined
    /** Called at each step, with plain data to resume from, and awaited. An error it throws ends the redeem. */
    onStep?: ((step: RedeemStep) => void | Promise<void>) | undefined
    /** Called for analytics and error reports, with each step and a failure. An error it throws has no effect. */
    onEvent?: withEvents.Options['onEvent']
  }

/** Result of `redeem`. */
export type RedeemResult = {
  wallet: Address
  nonce: Hex
  creditsContract: Address
  chainId: number
  hash: Hex
  /** Outcome read from the chain; missing without `publicClient`. */
  outcome: RedeemOutcome | RandomNonceOutcome | undefined
  /** `false` if the pinned values allow random nonces, otherwise missing. */
  intentBound?: false
}

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
