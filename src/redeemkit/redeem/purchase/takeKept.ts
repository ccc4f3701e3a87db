import { BaseError } from '../../core/errors/baseError.ts'
import { type Clock, unixSeconds } from '../../core/time/clock.ts'
import type { RedeemTerms } from '../preparedRedeem.ts'
import type { KeptPermit } from './purchaseRecord.ts'
import { signingSeconds, takePrepared } from './readReady.ts'

/**
 * The permit that an earlier call has had signed, with a checked copy of what was prepared, while it lives long enough for the second
 * prompt and a submit. Nothing of it has left: one that does not pass, as after a change of the pins, is asked for anew.
 */
export function takeKept(
  kept: Partial<KeptPermit> | undefined,
  terms: RedeemTerms,
  now: Clock | undefined,
): KeptPermit | undefined {
  const { prepared, permitCredits } = kept ?? {}
  if (
    prepared === undefined ||
    typeof permitCredits !== 'string' ||
    !/^0x([0-9a-f]{2})+$/i.test(permitCredits)
  )
    return undefined
  try {
    const own = takePrepared(prepared, terms, { exactly: true })
    const lives = BigInt(own.answer.validBefore) > unixSeconds(now) + signingSeconds
    return lives && own.typedData.usdcAuthorization ? { prepared: own, permitCredits } : undefined
  } catch (error) {
    if (error instanceof BaseError) return undefined
    throw error
  }
}
