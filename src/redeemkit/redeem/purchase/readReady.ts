import { type Clock, unixSeconds } from '../../core/clock.ts'
import { BaseError } from '../../core/errors/baseError.ts'
import { InvalidOptionError } from '../../core/errors/inputErrors.ts'
import { isHex } from '../../evm/values.ts'
import { same } from '../check/compare.ts'
import { readPrepared } from '../check/readPrepared.ts'
import { PreparedMismatchError, RandomNonceError, StoredRedeemError } from '../errors.ts'
import type { PreparedRedeem, RedeemTerms } from '../preparedRedeem.ts'
import type { CheckedPurchase, RedeemOptions } from '../redeemOptions.ts'
import type { StoredPermit } from './purchaseRecord.ts'

export type UsableRedeem = {
  readonly prepared: PreparedRedeem
  readonly hasCode: boolean | undefined
  /** Whether the wallet may be asked for its capabilities. */
  readonly takesIntent: boolean
  /** Whether the wallet may open without a network request. */
  readonly fresh: boolean
}

/**
 * Reads the result of `checkRedeem`, without a request. Returns `undefined` if there is nothing to sign, because the purchase is open or
 * paid.
 */
export function readReady(
  given: CheckedPurchase | undefined,
  terms: RedeemTerms,
  options: Pick<RedeemOptions, 'publicClient' | 'dryRun' | 'now'>,
): UsableRedeem | undefined {
  if (given === undefined) return undefined
  checkCanBeReady(terms)
  if (given.state === 'open' || given.state === 'redeemed') return undefined
  const { prepared, checkedAt, usableUntil, hasCode, takesIntent } = given
  if (![checkedAt, usableUntil].every((time) => typeof time === 'string' && /^\d{1,20}$/.test(time)))
    throw new StoredRedeemError('The option ready is not a result of checkRedeem, or it was changed.', {
      field: 'ready',
      fix: 'Pass what checkRedeem returned, or its JSON copy.',
    })
  const own = takePrepared(prepared, terms)
  const now = unixSeconds(options.now)
  const fresh =
    BigInt(checkedAt) <= now &&
    now < BigInt(usableUntil) &&
    now < BigInt(own.answer.validBefore) - minimumSigningSeconds &&
    (options.publicClient === undefined || typeof hasCode === 'boolean') &&
    (options.dryRun === undefined || own.dryRun !== undefined)
  return {
    prepared: own,
    hasCode: typeof hasCode === 'boolean' ? hasCode : undefined,
    takesIntent: takesIntent !== false,
    fresh,
  }
}

/** Seconds that a permit must have left: time for two prompts and a submit. */
export const minimumSigningSeconds = 90n

/** Rejects random nonces: with them, only the stored record shows whether something was already signed, and it is read at the click. */
export function checkCanBeReady({ pinned }: RedeemTerms): void {
  if (pinned.intentBound === false)
    throw new InvalidOptionError('A redeem with a random nonce cannot be checked before the click.', {
      field: 'pinned.intentBound',
      fix: 'Call redeem without `ready`, and do not call checkRedeem.',
      source: 'PROTOCOL.md 7.5',
    })
}

/** Checks a prepared redeem, and compares it with the terms. Ignores the expiry. `exactly` also compares the order key and salt. */
export function takePrepared(
  given: PreparedRedeem,
  terms: RedeemTerms,
  { exactly = false }: { exactly?: boolean | undefined } = {},
): PreparedRedeem {
  const { request, pinned } = terms
  const own = { request, pinned: { ...pinned, bridgeAdapter: terms.bridgeAdapter } }
  const { prepared } = readPrepared(given, { ...own, now: null, allowRandomNonce: true })
  for (const field of ['merchantId', 'chainId', 'wallet'] as const) same(field, terms[field], prepared[field])
  if (!prepared.intentBound)
    throw new RandomNonceError('The permit has a random nonce.', {
      field: 'ready',
      fix: 'Call redeem without `ready`, and do not call checkRedeem.',
    })
  if (prepared.purchaseId !== terms.purchaseId)
    throw new PreparedMismatchError(
      'purchaseId',
      terms.purchaseId,
      prepared.purchaseId,
      'Call checkRedeem with the same purchaseId as redeem.',
    )
  if (exactly) for (const field of ['orderKey', 'salt'] as const) same(field, terms[field], prepared[field])
  return prepared
}

/**
 * The permit must be valid long enough for the second prompt and a submit. It was not submitted, so if it fails a check, for example after
 * a change of the pins, another one is signed.
 */
export function readStoredPermit(
  kept: Partial<StoredPermit> | undefined,
  terms: RedeemTerms,
  now: Clock | undefined,
): StoredPermit | undefined {
  const { prepared, permitCredits } = kept ?? {}
  if (prepared === undefined || !isHex(permitCredits) || permitCredits === '0x') return undefined
  try {
    const own = takePrepared(prepared, terms, { exactly: true })
    const lives = BigInt(own.answer.validBefore) > unixSeconds(now) + minimumSigningSeconds
    return lives ? { prepared: own, permitCredits } : undefined
  } catch (error) {
    if (error instanceof BaseError) return undefined
    throw error
  }
}
