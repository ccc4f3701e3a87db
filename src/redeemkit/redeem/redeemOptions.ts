import type { Address, Hex } from 'viem'
import type { EvmSigner } from '../evm/signer/evmSigner.ts'
import type { RandomNonceOutcome } from './chain/lookUpRandomNonce.ts'
import type { RedeemOutcome } from './chain/lookUpRedeem.ts'
import type { OtherChain } from './otherChain.ts'
import type { RequestOptions } from './prepareRedeem.ts'
import type { PurchaseStorage } from './purchase/purchaseStorage.ts'
import type { CheckedPurchase } from './readyRedeem.ts'
import type { RedeemStep } from './redeemStep.ts'
import type { signRedeem } from './signRedeem.ts'
import type { waitForRedeem } from './waitForRedeem.ts'

/** What `redeem` takes. */
export type RedeemOptions = RequestOptions &
  Pick<signRedeem.Options, 'usdcVersion' | 'publicClient' | 'signatures'> &
  Pick<waitForRedeem.Options, 'confirmations' | 'timeoutMs' | 'pollingIntervalMs' | 'sleep'> & {
    /** A viem account, a viem or wagmi wallet client, an EIP-1193 provider, or an ethers v6 signer. */
    signer: EvmSigner
    /**
     * Where purchases are kept, so that a reload or another page resumes them: `localStorage` fits. Default: this process.
     * With random nonces (`intentBound: false`, `allowRandomNonce`) it alone guards against a second payment. A `purchaseId` then needs one, with
     * `replaceItem` or under Web Locks.
     * What is kept of an open one is its signed permit, which can execute this purchase and nothing else.
     */
    storage?: PurchaseStorage | undefined
    /**
     * Other chains on which the order may have been paid. They are read in parallel, within two seconds, before the wallet is
     * asked. A used order there is a finding, or an error where an open permit of this order is on record. They are read again when the
     * service reports that the order is paid.
     */
    otherChains?: readonly OtherChain[] | undefined
    /**
     * What `checkRedeem` found for this purchase, so that the wallet is asked at once. One whose `state` is `open` or `redeemed` changes
     * nothing. Default: everything is checked after the call.
     */
    ready?: CheckedPurchase | undefined
    /** Told of each step, with plain data to go on from. It is waited for, so it may store; what it throws ends the redeem. */
    onStep?: ((step: RedeemStep) => void | Promise<void>) | undefined
  }

/** What `redeem` gives. */
export type RedeemResult = {
  wallet: Address
  nonce: Hex
  creditsContract: Address
  chainId: number
  hash: Hex
  /** What the chain says; absent without `publicClient`. */
  outcome: RedeemOutcome | RandomNonceOutcome | undefined
  /** There when the nonce commits to nothing, as pinned. */
  intentBound?: false
}
