import type { Address, Hex } from 'viem'
import type { EvmSigner } from '../evm/signer/toSigner.ts'
import type { RandomNonceOutcome } from './chain/lookUpRandomNonce.ts'
import type { RedeemOutcome } from './chain/lookUpRedeem.ts'
import type { OtherChain } from './otherChain.ts'
import type { RequestOptions } from './prepareRedeem.ts'
import type { PurchaseStorage } from './purchase/purchaseStorage.ts'
import type { CheckedPurchase } from './readyRedeem.ts'
import type { withEvents } from './redeemEvent.ts'
import type { RedeemStep } from './redeemStep.ts'
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
