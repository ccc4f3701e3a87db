import type { Hex } from 'viem'
import type { PaymentsClient } from '../../api/createPaymentsClient.ts'
import { RequestAbortedError } from '../../api/errors.ts'
import { isServiceError, type ServiceError } from '../../api/serviceError.ts'
import { type OpenRedeem, type OpenRedeemError, openRedeemOf } from '../openRedeem.ts'
import type { RedeemTerms, SignedRedeem, SubmittedRedeem } from '../preparedRedeem.ts'
import type { RedeemOptions } from '../redeemOptions.ts'
import type { RedeemStep } from '../redeemStep.ts'
import { within } from '../within.ts'
import { type PurchaseRecord, purchaseOf, type StoredPermit } from './purchaseRecord.ts'
import type { PurchaseStore } from './purchaseStorage.ts'
import type { UsableRedeem } from './readReady.ts'

/** One purchase on its way. */
export type PurchaseRun = {
  readonly client: PaymentsClient
  readonly options: RedeemOptions
  /** With the order and the salt of an earlier call, when that goes on. */
  readonly terms: RedeemTerms
  readonly book: PurchaseStore
  /** Whether a Web Lock keeps other pages away from it. */
  readonly locked: boolean
  /** What an earlier call, or this one, has signed. */
  signed: SignedRedeem | undefined
  /** There as soon as a permit may have left this machine, in this call or an earlier one. */
  open: OpenRedeem | undefined
  /** The nonce that finished an earlier call. */
  nonce: Hex | undefined
  /** What was checked before the click, as long as it may be used. */
  ready: UsableRedeem | undefined
  /** Unix seconds, when an earlier call was first about to ask the wallet. */
  begunAt: string | undefined
  /** The first of two signatures, from an earlier call. */
  permit: StoredPermit | undefined
  /** Whether a permit was signed that the caller may hold: its salt must be used again then. */
  permitSigned: boolean
  /** Whether an earlier call has begun it. */
  readonly resumed: boolean
  /**
   * Only looked at where nonces commit to nothing: whether every submit of the permit that is open was refused, by a service that
   * is trusted; and whether that permit is the second one, signed because the fee had moved.
   */
  refused: boolean | undefined
  second: boolean
}

/** Whether the service knows no bound nonces: then no salt brings a nonce back, and the contract tells nothing about one. */
export const hasRandomNonce = ({ terms: { pinned } }: Pick<PurchaseRun, 'terms'>) =>
  pinned.intentBound === false

/** What every record of this purchase says. */
export const recordOf = ({ terms }: Pick<PurchaseRun, 'terms'>): PurchaseRecord => ({
  version: 1,
  purchase: purchaseOf(terms),
  orderKey: terms.orderKey,
  salt: terms.salt,
  ...(terms.bridgeAdapter && { bridgeAdapter: terms.bridgeAdapter }),
})

/** Nonces that were signed for these very terms, beside the one that follows from them. */
export const noncesOf = ({ signed, open }: Pick<PurchaseRun, 'signed' | 'open'>) => [
  signed?.prepared.answer.nonce,
  open?.nonce,
]

/** What may execute of a purchase that was begun before. */
export function openOf({ signed, hash, answered, openUntil = '0' }: PurchaseRecord): OpenRedeem | undefined {
  return signed && longest(openRedeemOf(signed, hash ?? answered), openUntil)
}

/** Of two permits with one nonce, either may execute as long as it lives. */
function longest(open: OpenRedeem, other: string): OpenRedeem {
  return BigInt(other) > BigInt(open.validBefore) ? { ...open, validBefore: other } : open
}

/** A permit has left this machine, and this is what its submit ended with. */
export function left(run: PurchaseRun, signed: SignedRedeem, end: SubmittedRedeem | OpenRedeemError): void {
  const hash = end instanceof Error ? run.open?.hash : end.hash
  run.open = longest(openRedeemOf(signed, hash), run.open?.validBefore ?? '0')
  run.refused = run.refused !== false && end instanceof Error && refusalOf(end) !== undefined
}

/** What the service refused a submit with, when it gave an answer of its own to it. A gateway's 408 is none. */
export function refusalOf({ cause }: OpenRedeemError): ServiceError | undefined {
  return isServiceError(cause) && cause.status < 500 && cause.remedy !== 'tryAgain' ? cause : undefined
}

/** Nothing of the purchase can execute any more: what was signed for it counts no longer. */
export function discardSigned(run: PurchaseRun): void {
  run.signed = run.open = run.nonce = run.refused = undefined
  run.second = false
}

/** Tells a step, unless the signal aborts. */
export async function tell({ options: { onStep, signal } }: PurchaseRun, step: RedeemStep): Promise<void> {
  await within(Promise.resolve(onStep?.(step)), { signal, onEnd: aborted })
}

export const aborted = () => new RequestAbortedError({ sent: false })

/** By what a redeem of this purchase is looked up. */
export function keyOf({ terms: { wallet, pinned, chainId } }: PurchaseRun, nonce: Hex) {
  const { creditsContract, intentBound } = pinned
  return { wallet, nonce, creditsContract, chainId, ...(intentBound === false && { intentBound }) }
}
