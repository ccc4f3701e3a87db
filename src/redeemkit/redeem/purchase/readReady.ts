import { BaseError } from '../../core/errors/baseError.ts'
import { InvalidOptionError } from '../../core/errors/inputErrors.ts'
import { type Clock, unixSeconds } from '../../core/time/clock.ts'
import { same } from '../check/compare.ts'
import { readPrepared } from '../check/readPrepared.ts'
import { PreparedMismatchError, RandomNonceError, StoredRedeemError } from '../errors.ts'
import type { PreparedRedeem, RedeemTerms } from '../preparedRedeem.ts'
import type { CheckedPurchase } from '../readyRedeem.ts'
import type { RedeemOptions } from '../redeemOptions.ts'
import type { StoredPermit } from './purchaseRecord.ts'

/** What was checked before the click, of the very purchase that is clicked for. */
export type UsableRedeem = {
  /** A checked copy. */
  readonly prepared: PreparedRedeem
  readonly hasCode: boolean | undefined
  /** Whether the wallet may be asked of it without asking the network first. */
  readonly fresh: boolean
}

/**
 * Takes what `checkRedeem` found, and compares it with what is clicked for. Asks nobody.
 *
 * @returns `undefined` when there is nothing to sign: the purchase is open or paid
 * @throws {@link PreparedMismatchError} with the field in which it is another purchase; {@link StoredRedeemError} for data that is
 * none or was changed; {@link RandomNonceError}; {@link InvalidOptionError} where nonces commit to nothing
 */
export function readReady(
  given: CheckedPurchase | undefined,
  terms: RedeemTerms,
  options: Pick<RedeemOptions, 'publicClient' | 'dryRun' | 'now'>,
): UsableRedeem | undefined {
  if (given === undefined) return undefined
  checkCanBeReady(terms)
  if (given.state === 'open' || given.state === 'redeemed') return undefined
  const { prepared, checkedAt, usableUntil, hasCode } = given
  if (![checkedAt, usableUntil].every((time) => typeof time === 'string' && /^\d{1,20}$/.test(time)))
    throw new StoredRedeemError('This is nothing that checkRedeem returned, or it was changed since.', {
      field: 'ready',
      fix: 'Pass what checkRedeem returned, or what JSON.parse made of it.',
    })
  const own = takePrepared(prepared, terms)
  const now = unixSeconds(options.now)
  const fresh =
    BigInt(checkedAt) <= now &&
    now < BigInt(usableUntil) &&
    now < BigInt(own.answer.validBefore) - minimumSigningSeconds &&
    (options.publicClient === undefined || typeof hasCode === 'boolean') &&
    (options.dryRun === undefined || own.dryRun !== undefined)
  return { prepared: own, hasCode: typeof hasCode === 'boolean' ? hasCode : undefined, fresh }
}

export declare namespace readReady {
  type ErrorType = takePrepared.ErrorType | InvalidOptionError | StoredRedeemError
}

/** What a person needs to answer two prompts, and a submit after them, in seconds: a permit must live longer. */
export const minimumSigningSeconds = 90n

/**
 * Refuses terms of which nothing can be checked before the click: without a bound nonce only the record of the purchase tells that
 * nothing of it was signed, and it tells so at the click alone.
 *
 * @throws {@link InvalidOptionError}
 */
export function checkCanBeReady({ pinned }: RedeemTerms): void {
  if (pinned.intentBound === false)
    throw new InvalidOptionError(
      'Where nonces commit to nothing, a redeem cannot be checked before the click.',
      {
        field: 'pinned.intentBound',
        fix: 'Call redeem alone, without checkRedeem and ready: it asks the network before the wallet.',
        docs: 'PROTOCOL.md 7.5',
      },
    )
}

/**
 * A checked copy of a prepared redeem that belongs to these terms, whatever the time.
 *
 * @param options.exactly whether order key and salt have to be those of the terms, too
 * @throws {@link PreparedMismatchError}, {@link RandomNonceError}; what readPrepared throws
 */
export function takePrepared(
  given: PreparedRedeem,
  terms: RedeemTerms,
  { exactly = false }: { exactly?: boolean | undefined } = {},
): PreparedRedeem {
  const { request, pinned } = terms
  const own = { request, pinned: { ...pinned, bridgeAdapter: terms.bridgeAdapter } }
  const { prepared } = readPrepared(given, { ...own, now: null, allowRandomNonce: true })
  for (const field of ['merchantId', 'chainId', 'wallet'] as const) same(field, terms[field], prepared[field])
  if (!prepared.bound)
    throw new RandomNonceError('The permit is not bound to what it will pay for.', {
      field: 'ready',
      fix: 'Call redeem alone, without checkRedeem and ready: it asks the network before the wallet.',
    })
  if (prepared.purchaseId !== terms.purchaseId)
    throw new PreparedMismatchError(
      'purchaseId',
      terms.purchaseId,
      prepared.purchaseId,
      'It was made for another order: call checkRedeem with the same purchaseId as redeem.',
    )
  if (exactly) for (const field of ['orderKey', 'salt'] as const) same(field, terms[field], prepared[field])
  return prepared
}

export declare namespace takePrepared {
  type ErrorType = readPrepared.ErrorType | same.ErrorType | RandomNonceError
}

/**
 * The permit that an earlier call has had signed, with a checked copy of what was prepared, while it lives long enough for the second
 * prompt and a submit. Nothing of it has left: one that does not pass, as after a change of the pins, is asked for anew.
 */
export function readStoredPermit(
  kept: Partial<StoredPermit> | undefined,
  terms: RedeemTerms,
  now: Clock | undefined,
): StoredPermit | undefined {
  const { prepared, permitCredits } = kept ?? {}
  if (
    prepared === undefined ||
    typeof permitCredits !== 'string' ||
    !/^0x([0-9a-f]{2})+$/i.test(permitCredits)
  )
    return undefined
  try {
    const own = takePrepared(prepared, terms, { exactly: true })
    const lives = BigInt(own.answer.validBefore) > unixSeconds(now) + minimumSigningSeconds
    return lives && own.typedData.usdcAuthorization ? { prepared: own, permitCredits } : undefined
  } catch (error) {
    if (error instanceof BaseError) return undefined
    throw error
  }
}
