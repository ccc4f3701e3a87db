import type { Hex } from 'viem'
import type { PaymentsClient } from '../../api/createPaymentsClient.ts'
import { isServiceError, type ServiceError } from '../../api/errors.ts'
import { type OpenRedeem, type OpenRedeemError, openRedeemOf } from '../openRedeem.ts'
import type { RedeemTerms, SignedRedeem, SubmittedRedeem } from '../preparedRedeem.ts'
import type { RedeemOptions } from '../redeemOptions.ts'
import type { RedeemStep } from '../redeemStep.ts'
import { within } from '../within.ts'
import { type PurchaseRecord, purchaseOf, type StoredPermit } from './purchaseRecord.ts'
import type { PurchaseStore } from './purchaseStorage.ts'
import type { UsableRedeem } from './readReady.ts'

/** State of one call of `redeem`. */
export type PurchaseRun = {
  readonly client: PaymentsClient
  readonly options: RedeemOptions
  /** Includes the order key and salt of an earlier call, if this call resumes it. */
  readonly terms: RedeemTerms
  readonly store: PurchaseStore
  /** Whether a Web Lock excludes other pages. */
  readonly locked: boolean
  signed: SignedRedeem | undefined
  /** Set once a permit may have been submitted, in this or an earlier call. */
  open: OpenRedeem | undefined
  /** Nonce of a finished earlier call. */
  nonce: Hex | undefined
  ready: UsableRedeem | undefined
  /** Unix seconds when the wallet was first opened for this purchase. */
  begunAt: string | undefined
  /** The first of two signatures, made in an earlier call. */
  permit: StoredPermit | undefined
  /** Whether the caller may hold a signed permit. If so, its salt must be reused. */
  permitSigned: boolean
  readonly resumed: boolean
  /**
   * Random nonces only. `refused`: the trusted service rejected every submit of the open permit. `second`: that permit is the second one,
   * signed because the gas fee changed.
   */
  refused: boolean | undefined
  second: boolean
}

/** With random nonces, the salt does not determine the nonce, and the contract has no state per nonce. */
export const hasRandomNonce = ({ terms: { pinned } }: Pick<PurchaseRun, 'terms'>) =>
  pinned.intentBound === false

export const recordOf = ({ terms }: Pick<PurchaseRun, 'terms'>): PurchaseRecord => ({
  version: 1,
  purchase: purchaseOf(terms),
  orderKey: terms.orderKey,
  salt: terms.salt,
  ...(terms.bridgeAdapter && { bridgeAdapter: terms.bridgeAdapter }),
})

export const noncesOf = ({ signed, open }: Pick<PurchaseRun, 'signed' | 'open'>) => [
  signed?.prepared.answer.nonce,
  open?.nonce,
]

export function openOf({ signed, hash, answered, openUntil = '0' }: PurchaseRecord): OpenRedeem | undefined {
  return signed && longest(openRedeemOf(signed, hash ?? answered), openUntil)
}

/** Each of two permits with one nonce may execute until it expires, so the later expiry counts. */
function longest(open: OpenRedeem, other: string): OpenRedeem {
  return BigInt(other) > BigInt(open.validBefore) ? { ...open, validBefore: other } : open
}

export function recordSubmit(
  run: PurchaseRun,
  signed: SignedRedeem,
  end: SubmittedRedeem | OpenRedeemError,
): void {
  const hash = end instanceof Error ? run.open?.hash : end.hash
  run.open = longest(openRedeemOf(signed, hash), run.open?.validBefore ?? '0')
  run.refused = run.refused !== false && end instanceof Error && refusalOf(end) !== undefined
}

/** Returns the service's error if the service itself rejected the submit. A gateway's 408 does not count. */
export function refusalOf({ cause }: OpenRedeemError): ServiceError | undefined {
  return isServiceError(cause) && cause.status < 500 && cause.remedy !== 'tryAgain' ? cause : undefined
}

/** Only for a redeem that can no longer execute. */
export function discardSigned(run: PurchaseRun): void {
  run.signed = run.open = run.nonce = run.refused = undefined
  run.second = false
}

/** Stops waiting for the listener if the signal aborts. */
export async function notify({ options: { onStep, signal } }: PurchaseRun, step: RedeemStep): Promise<void> {
  await within(Promise.resolve(onStep?.(step)), { signal })
}

export function keyOf({ terms: { wallet, pinned, chainId } }: PurchaseRun, nonce: Hex) {
  const { creditsContract, intentBound } = pinned
  return { wallet, nonce, creditsContract, chainId, ...(intentBound === false && { intentBound }) }
}
