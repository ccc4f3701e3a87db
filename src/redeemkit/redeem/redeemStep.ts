import type { Address, Hex } from 'viem'
import type { Finding } from '../core/finding/finding.ts'
import type { RandomNonceOutcome } from './chain/lookUpRandomNonce.ts'
import type { RedeemOutcome } from './chain/lookUpRedeem.ts'
import type { PreparedRedeem, SignedRedeem, SubmittedRedeem } from './preparedRedeem.ts'

/** Where the signing is. */
export type SigningStep =
  /** The prompt is next: every check has passed. */
  | { readonly step: 'signing'; readonly prompt: 'creditPermit' | 'usdcAuthorization' }
  | { readonly step: 'permitSigned'; readonly prepared: PreparedRedeem; readonly permitCredits: Hex }

/** Where a redeem is. What a step carries survives `JSON.stringify`, but for `outcome`, which has bigints, and `cause`. */
export type RedeemStep =
  /** The same purchase is under way in this process, or in another page: its turn is waited for. */
  | { readonly step: 'waitingForOther' }
  /** The same purchase was begun before, and goes on; `signed` says whether its permit was signed. */
  | { readonly step: 'resuming'; readonly signed: boolean }
  | { readonly step: 'preparing' }
  | {
      readonly step: 'prepared'
      readonly prepared: PreparedRedeem
      /** What was found of the order on other chains, or could not be read there. */
      readonly elsewhere?: readonly Finding[] | undefined
    }
  | SigningStep
  | { readonly step: 'signed'; readonly signed: SignedRedeem }
  | { readonly step: 'submitting'; readonly attempt: number }
  /** The submit failed, and it is not known whether it arrived: the chain is asked. */
  | { readonly step: 'lookingUp'; readonly cause: unknown }
  /** The same redeem is prepared once more, and the wallet is asked again; with the same nonce, unless nonces are bound to nothing. */
  | { readonly step: 'preparingAgain'; readonly cause: unknown }
  | { readonly step: 'submitted'; readonly submitted: SubmittedRedeem }
  | {
      readonly step: 'waiting'
      readonly wallet: Address
      readonly nonce: Hex
      readonly creditsContract: Address
      readonly chainId: number
    }
  | { readonly step: 'redeemed'; readonly outcome: RedeemOutcome | RandomNonceOutcome }
  /** The redeem is done, and the storage did not keep that: the next call finds out again. */
  | { readonly step: 'notStored'; readonly cause: unknown }
