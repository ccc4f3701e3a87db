import type { Authentication3DS } from '../../../../redeemkit/schema/checkout.ts'

/** What a body says about 3DS (PROTOCOL.md 10.3, 11.10). */
export type ThreeDs = {
  /** Of a challenge of this service, which was answered. */
  transactionId: string | undefined
  /** The customer was authenticated elsewhere, and the body has the proof. */
  isDone: boolean
  /** The merchant wants a challenge whatever the card. */
  isWanted: boolean
}

export function threeDs(body: {
  authentication3DS?: Authentication3DS | undefined
  threeDsChallengePreference?: string | undefined
}): ThreeDs {
  const { authentication3DS, threeDsChallengePreference } = body
  const isDone = authentication3DS !== undefined && 'cavv' in authentication3DS
  return {
    transactionId: isDone ? undefined : authentication3DS?.transactionId,
    isDone,
    isWanted: threeDsChallengePreference === 'Challenge',
  }
}
