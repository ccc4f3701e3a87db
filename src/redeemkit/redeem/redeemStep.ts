import type { Address, Hex } from 'viem'
import { BaseError } from '../core/errors/baseError.ts'
import type { Finding } from '../core/finding/finding.ts'
import type { RandomNonceOutcome } from './chain/lookUpRandomNonce.ts'
import type { RedeemOutcome } from './chain/readLogs.ts'
import type { PreparedRedeem, SignedRedeem, SubmittedRedeem } from './preparedRedeem.ts'

/** Step of the signing. */
export type SigningStep =
  /** Every check has passed, and the prompt opens next. */
  | { readonly step: 'signing'; readonly prompt: 'creditPermit' | 'usdcAuthorization' }
  | { readonly step: 'permitSigned'; readonly prepared: PreparedRedeem; readonly permitCredits: Hex }

/** Step of a redeem. Safe for `JSON.stringify`, except `outcome` (bigints), `cause` and `sendNow`. */
export type RedeemStep =
  /** Another call or page is paying for the same purchase, and this call waits. */
  | { readonly step: 'waitingForOther' }
  /** Resumes a purchase that was begun earlier; `signed` says whether its permit was signed. */
  | { readonly step: 'resuming'; readonly signed: boolean }
  | { readonly step: 'preparing' }
  | {
      readonly step: 'prepared'
      readonly prepared: PreparedRedeem
      /** Findings about the order on other chains. */
      readonly elsewhere?: readonly Finding[] | undefined
    }
  | SigningStep
  | { readonly step: 'signed'; readonly signed: SignedRedeem }
  | { readonly step: 'submitting'; readonly attempt: number }
  /** The request to submit failed, but may have arrived; or the node failed after the signature. The chain is read again. */
  | { readonly step: 'lookingUp'; readonly cause: unknown }
  /**
   * The service or the node has not responded for 5 seconds, or for 20 seconds with `sendNow`, which starts the next attempt immediately.
   * The same signed redeem is submitted until the permit expires, or until `timeoutMs` if the caller passed it.
   */
  | { readonly step: 'stillWaiting'; readonly sendNow?: (() => void) | undefined }
  /** The redeem is prepared again and the wallet opens again. The nonce stays the same, unless nonces are random. */
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
  /** The redeem is done, but the storage failed to record it. The next call looks it up on chain. */
  | { readonly step: 'notStored'; readonly cause: unknown }

/** Step of a redeem button, which determines the effect of a click. */
export type RedeemButtonStep =
  /** No wallet is connected. A click does nothing. */
  | 'notConnected'
  /** The wallet is on another chain. A click asks it to switch. */
  | 'wrongChain'
  | 'switchingChain'
  /** The permit is requested from the service. */
  | 'preparing'
  /** The permit is compared with the request, and order and funds are read. */
  | 'checking'
  /** The check failed; `error` says why. A click checks again. */
  | 'failed'
  /** A click opens the wallet without a network request. */
  | 'ready'
  /** A signed redeem may already be submitted. A click resumes it. */
  | 'open'
  /** Another page is paying for the same purchase. */
  | 'waitingForOther'
  | 'signingPermit'
  /** The permit is signed. A click opens the prompt for the USDC authorization. */
  | 'secondClick'
  | 'signingUsdc'
  | 'submitting'
  | 'lookingUp'
  /**
   * The payment service has not responded for 5 seconds; `userMessage` says so. The same redeem is submitted until the service responds.
   * After 20 seconds, a click submits it immediately.
   */
  | 'stillWaiting'
  | 'confirming'
  | 'done'

/** An event for analytics and error reports. Contains no amount, address or id. */
export type RedeemEvent = {
  /** The step that begins or, with `errorCode`, failed. `starting` and `checking` are reported only if they fail. */
  readonly step: RedeemStep['step'] | 'starting' | 'checking'
  /** Milliseconds since the call. */
  readonly durationMs: number
  /** Name of the error that ended the call, such as `UserRejectedError`. `unknown` if it is not an error of redeemkit. */
  readonly errorCode?: string | undefined
}

/**
 * Runs a call, and reports its steps and its failure to `onEvent`, whose errors have no effect. `first` is reported if the call fails
 * before any step.
 */
export async function withEvents<result>(
  { onEvent, onStep }: withEvents.Options,
  first: RedeemEvent['step'],
  run: (onStep: (step: RedeemStep) => void | Promise<void>) => Promise<result>,
): Promise<result> {
  const begun = performance.now()
  let step = first
  const report = (error?: { errorCode: string }) => {
    const send = async () => onEvent?.({ step, durationMs: Math.round(performance.now() - begun), ...error })
    send().catch(() => undefined)
  }
  try {
    return await run((update) => {
      step = update.step
      report()
      return onStep?.(update)
    })
  } catch (error) {
    report({ errorCode: error instanceof BaseError ? error.name : 'unknown' })
    throw error
  }
}

export declare namespace withEvents {
  type Options = {
    onEvent?: ((event: RedeemEvent) => unknown) | undefined
    onStep?: ((step: RedeemStep) => void | Promise<void>) | undefined
  }
}
