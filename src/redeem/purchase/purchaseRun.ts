import type { Hex } from 'viem'
import type { PaymentsClient } from '../../api/createPaymentsClient.ts'
import { RequestAbortedError } from '../../api/errors.ts'
import { type OpenRedeem, openRedeemOf } from '../openRedeem.ts'
import type { RedeemTerms, SignedRedeem, SubmittedRedeem } from '../preparedRedeem.ts'
import type { RedeemOptions } from '../redeemOptions.ts'
import type { RedeemStep } from '../redeemStep.ts'
import { within } from '../within.ts'
import type { PurchaseRecord } from './purchaseRecord.ts'
import type { PurchaseBook } from './purchaseStorage.ts'

/** One purchase on its way. */
export type PurchaseRun = {
  readonly client: PaymentsClient
  readonly options: RedeemOptions
  readonly terms: RedeemTerms
  /** Where it is kept; `undefined` when the caller keeps the book. */
  readonly book: PurchaseBook | undefined
  /** What goes on: the salt of an earlier call, and what was signed with it. */
  salt: Hex
  signed: SignedRedeem | undefined
  /** There as soon as a permit may have left this machine, in this call or an earlier one. */
  open: OpenRedeem | undefined
  /** The nonce that an earlier call sent, or may have sent: no other one is signed while it can execute. */
  nonce: Hex | undefined
  /** Whether a permit was signed that the caller may hold: its salt must be used again then. */
  permitSigned: boolean
  /** Whether an earlier call has begun it. */
  readonly resumed: boolean
}

/** What may execute of a purchase that was begun before. */
export function openOf({ signed, hash, openUntil = '0' }: PurchaseRecord): OpenRedeem | undefined {
  return signed && longest(openRedeemOf(signed, hash), openUntil)
}

/** Of two permits with one nonce, either may execute as long as it lives. */
function longest(open: OpenRedeem, other: string): OpenRedeem {
  return BigInt(other) > BigInt(open.validBefore) ? { ...open, validBefore: other } : open
}

/** A permit has left this machine. */
export function left(run: PurchaseRun, signed: SignedRedeem, submitted?: SubmittedRedeem): void {
  run.open = longest(openRedeemOf(signed, submitted?.hash), run.open?.validBefore ?? '0')
}

/** Tells a step, unless the signal aborts. */
export async function tell({ options: { onStep, signal } }: PurchaseRun, step: RedeemStep): Promise<void> {
  await within(Promise.resolve(onStep?.(step)), { signal, onEnd: aborted })
}

export const aborted = () => new RequestAbortedError({ sent: false })

/** By what a redeem of this purchase is looked up. */
export function keyOf({ terms: { wallet, pinned, chainId } }: PurchaseRun, nonce: Hex) {
  return { wallet, nonce, creditsContract: pinned.creditsContract, chainId }
}
