import { InvalidOptionError } from '../../core/errors/inputErrors.ts'
import { unixSeconds } from '../../core/time/clock.ts'
import { readPrepared } from '../check/readPrepared.ts'
import { same } from '../check/sameFields.ts'
import { PreparedMismatchError, StoredRedeemError, UnboundPermitError } from '../errors.ts'
import type { PreparedRedeem, RedeemTerms } from '../preparedRedeem.ts'
import type { CheckedPurchase } from '../readyRedeem.ts'
import type { RedeemOptions } from '../redeemOptions.ts'

/** What was checked before the press, of the very purchase that is pressed for. */
export type UsableRedeem = {
  /** A checked copy. */
  readonly prepared: PreparedRedeem
  readonly hasCode: boolean | undefined
  /** Whether the wallet may be asked of it without asking the network first. */
  readonly fresh: boolean
}

/**
 * Takes what `checkRedeem` found, and compares it with what is pressed for. Asks nobody.
 *
 * @returns `undefined` when there is nothing to sign: the purchase is open or paid
 * @throws {@link PreparedMismatchError} with the field in which it is another purchase; {@link StoredRedeemError} for data that is
 * none or was changed; {@link UnboundPermitError}; {@link InvalidOptionError} where nonces commit to nothing
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
    now < BigInt(own.answer.validBefore) - signingSeconds &&
    (options.publicClient === undefined || typeof hasCode === 'boolean') &&
    (options.dryRun === undefined || own.dryRun !== undefined)
  return { prepared: own, hasCode: typeof hasCode === 'boolean' ? hasCode : undefined, fresh }
}

export declare namespace readReady {
  type ErrorType = takePrepared.ErrorType | InvalidOptionError | StoredRedeemError
}

/** What a person needs to answer two prompts, and a submit after them, in seconds: a permit must live longer. */
export const signingSeconds = 90n

/**
 * Refuses terms of which nothing can be checked before the press: without a bound nonce only the record of the purchase tells that
 * nothing of it was signed, and it tells so at the press alone.
 *
 * @throws {@link InvalidOptionError}
 */
export function checkCanBeReady({ pinned }: RedeemTerms): void {
  if (pinned.intentBound === false)
    throw new InvalidOptionError(
      'Where nonces commit to nothing, a redeem cannot be checked before the press.',
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
 * @throws {@link PreparedMismatchError}, {@link UnboundPermitError}; what readPrepared throws
 */
export function takePrepared(
  given: PreparedRedeem,
  terms: RedeemTerms,
  { exactly = false }: { exactly?: boolean | undefined } = {},
): PreparedRedeem {
  const { request, pinned } = terms
  const own = { request, pinned: { ...pinned, bridgeAdapter: terms.bridgeAdapter } }
  const { prepared } = readPrepared(given, { ...own, now: null, allowUnbound: true })
  for (const field of ['merchantId', 'chainId', 'wallet'] as const) same(field, terms[field], prepared[field])
  if (!prepared.bound)
    throw new UnboundPermitError('The permit is not bound to what it will pay for.', {
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
  type ErrorType = readPrepared.ErrorType | same.ErrorType | UnboundPermitError
}
