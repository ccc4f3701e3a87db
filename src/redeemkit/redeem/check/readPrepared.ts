import { isPromise } from '../../core/checkOptions.ts'
import { BaseError } from '../../core/errors/baseError.ts'
import type { Finding } from '../../core/finding/finding.ts'
import { type Clock, type InvalidClockError, unixSeconds } from '../../core/time/clock.ts'
import { checkAddress } from '../../evm/checkAddress.ts'
import { checkHex, checkRecord, ExpiredError, TooFarAheadError } from '../../evm/values.ts'
import type { CreditsAuthMsgResponse } from '../../schema/creditsAuthMsg.ts'
import { lightCreditsAuthMsgAnswer } from '../../schema/light/records.ts'
import { readRecord } from '../../schema/readRecord.ts'
import { PinsRequiredError, PreparedMismatchError, StoredRedeemError, UnboundPermitError } from '../errors.ts'
import type { PreparedRedeem, RedeemPins, RedeemRequest, RedeemTerms } from '../preparedRedeem.ts'
import { readPins, readRedeemTerms, readRequest } from '../request/readRedeemTerms.ts'
import { type CheckedRedeem, checkAnswer } from './checkAnswer.ts'
import { same } from './sameFields.ts'

/** Frozen results of `prepareRedeem` and `signRedeem` in this very page: nobody can have changed them. */
const ownResults = new WeakSet<object>()

/** Remembers a result as made here. */
export function keepOwn<T extends object>(result: T): T {
  ownResults.add(result)
  return result
}

/** Whether it was made here, and is the very object. */
export const isOwn = (data: unknown) => typeof data === 'object' && data !== null && ownResults.has(data)

/**
 * Takes a prepared redeem, from memory or from storage, compares it with the caller's pins and request, and repeats every
 * check on it.
 *
 * All that follows from terms and answer is computed anew and compared with what the data says, so that a change of any
 * one field is found. Data that was changed throughout can agree with itself: that is what the caller's own pins and
 * request are for.
 *
 * @throws {@link PreparedMismatchError} with both values for other pins or another request; {@link StoredRedeemError} for data
 * that is none or was changed; {@link PinsRequiredError}; ExpiredError, TooFarAheadError, {@link UnboundPermitError}
 */
export function readPrepared(
  data: PreparedRedeem,
  options: {
    pinned?: RedeemPins | undefined
    request?: RedeemRequest | undefined
    purchaseId?: string | undefined
    allowUnbound?: boolean | undefined
    /** `null`: it was signed already, and in time. */
    now?: Clock | null | undefined
  },
): CheckedRedeem & { own: boolean } {
  const { pinned, request } = options
  // null is no value that was left out: what it should have been would go unchecked
  for (const field of ['pinned', 'request'] as const)
    if (options[field] !== undefined) checkRecord(options[field], field)
  const own = isOwn(data)
  if (!own && pinned === undefined)
    throw new PinsRequiredError('A prepared redeem that was stored cannot vouch for itself.', {
      field: 'pinned',
      fix: 'Pass the pins again, from the same place as for prepareRedeem; better still, the request too.',
    })
  const stored = plain(data)
  if (stored.version !== 1)
    throw new StoredRedeemError('This is no prepared redeem of version 1.', {
      field: 'prepared.version',
      fix: 'Prepare again.',
    })
  const { terms, answer, dryRun } = readStored(stored)
  compare('pinned', pinned && readPins(pinned, terms.chainId), terms.pinned)
  compare('request', request && readRequest(request), terms.request)
  if (options.purchaseId !== undefined) same('purchaseId', options.purchaseId, terms.purchaseId)
  if (pinned?.bridgeAdapter !== undefined && terms.bridgeAdapter !== undefined)
    same('bridgeAdapter', checkAddress(pinned.bridgeAdapter, 'pinned.bridgeAdapter'), terms.bridgeAdapter)
  const how = {
    now: options.now === null ? undefined : unixSeconds(options.now),
    allowUnbound: options.allowUnbound ?? own,
    dryRun,
  }
  let checked: CheckedRedeem
  try {
    checked = checkAnswer(terms, answer, how)
  } catch (error) {
    throw changedSince(error)
  }
  const changed = difference(checked.prepared, stored, 'prepared')
  if (changed !== undefined)
    throw new StoredRedeemError(
      `The stored redeem was changed since it was prepared: ${changed.path} does not follow from the rest.`,
      { field: changed.path, fix: changedFix },
    )
  return { ...checked, own }
}

/** Terms and answer of stored data. It passed every check when it was prepared, so what fails now was changed. */
function readStored(
  stored: PreparedRedeem,
): Pick<PreparedRedeem, 'dryRun'> & { terms: RedeemTerms; answer: CreditsAuthMsgResponse } {
  const { merchantId, wallet, chainId, purchaseId, orderKey, salt, bridgeAdapter, pinned, request } = stored
  try {
    const own = {
      orderKey: checkHex(orderKey, 'prepared.orderKey', { bytes: 12 }),
      salt: checkHex(salt, 'prepared.salt', { bytes: 32 }),
      ...(bridgeAdapter !== undefined && { bridgeAdapter }),
    }
    return {
      // The order key of a purchaseId is computed anew, so that another one is found as a change.
      terms: readRedeemTerms({ merchantId }, { ...request, wallet, chainId, pinned, purchaseId }, own),
      answer: readRecord(lightCreditsAuthMsgAnswer, stored.answer, { field: 'prepared.answer' }),
      ...(stored.dryRun !== undefined && { dryRun: readDryRun(stored.dryRun) }),
    }
  } catch (error) {
    throw changedSince(error)
  }
}

/** Of what a dry run found nothing follows: it is shown, and has to be of its form. */
function readDryRun(given: readonly Finding[]): readonly Finding[] {
  const isFinding = ({ severity, code, message }: Record<string, unknown>) =>
    [severity, code, message].every((text) => typeof text === 'string')
  if (Array.isArray(given) && given.every((one) => isFinding(Object(one)))) return given
  throw new StoredRedeemError('What the dry run found is no list of findings.', {
    field: 'prepared.dryRun',
    fix: changedFix,
  })
}

const changedFix =
  'Do not sign it: the stored data was changed, and the service has no part in that. Look who can write to the storage, and prepare again.'

/** What a check says of stored data: only its time can have passed, and an unbound permit be forbidden, without a change. */
function changedSince(
  error: unknown,
): StoredRedeemError | ExpiredError | TooFarAheadError | UnboundPermitError {
  if (
    error instanceof ExpiredError ||
    error instanceof TooFarAheadError ||
    error instanceof UnboundPermitError
  )
    return error
  const { field, shortMessage = 'it cannot be read.' } = error instanceof BaseError ? error : {}
  return new StoredRedeemError(`The stored redeem was changed since it was prepared: ${shortMessage}`, {
    field: field?.startsWith('prepared') ? field : 'prepared',
    fix: changedFix,
    cause: error instanceof BaseError ? error : undefined,
  })
}

export declare namespace readPrepared {
  type ErrorType =
    | plain.ErrorType
    | readPins.ErrorType
    | readRequest.ErrorType
    | ExpiredError
    | InvalidClockError
    | PinsRequiredError
    | PreparedMismatchError
    | TooFarAheadError
    | UnboundPermitError
}

/** A copy of stored data as plain JSON, so that it cannot change while it is checked. */
export function plain<T>(data: T): T {
  try {
    if (isPromise(data)) throw data
    const copy: unknown = JSON.parse(JSON.stringify(data))
    // The fields are checked one by one where they are used.
    if (typeof copy === 'object' && copy !== null) return copy as T
  } catch {}
  const isMissing = data === undefined || data === null
  throw new StoredRedeemError(isMissing ? 'There is no stored redeem.' : 'This is no stored redeem.', {
    fix: isMissing
      ? 'Nothing was stored, or the storage was cleared. Where a signed one may have been sent, look its nonce up first (findRedeem); else prepare again.'
      : `Pass what the step before returned, or what JSON.parse made of it${isPromise(data) ? '; await it first' : ''}.`,
  })
}

export declare namespace plain {
  type ErrorType = StoredRedeemError
}

function compare(name: string, expected: object | undefined, actual: object): void {
  const found = expected && difference(expected, actual, name)
  if (found === undefined) return
  const { path, expected: own, actual: stored } = found
  throw new PreparedMismatchError(
    path,
    ...apart(own, stored),
    `Do not sign it: the prepared redeem is for another ${name === 'request' ? 'request' : 'deployment'} than the one that you passed now. Prepare again.`,
  )
}

/** Two texts from shortly before their first difference, where both are too long to be shown. */
function apart(one: unknown, other: unknown): [unknown, unknown] {
  if (typeof one !== 'string' || typeof other !== 'string' || Math.max(one.length, other.length) <= 80)
    return [one, other]
  let at = 0
  while (one[at] === other[at]) at++
  const cut = (text: string) => `${at > 10 ? '…' : ''}${text.slice(Math.max(0, at - 10), at + 50)}`
  return [cut(one), cut(other)]
}

type Difference = { path: string; expected: unknown; actual: unknown }

/** The first field in which two pieces of plain data differ. */
function difference(expected: unknown, actual: unknown, path: string): Difference | undefined {
  const differs = { path, expected, actual }
  if (typeof expected !== 'object' || typeof actual !== 'object' || expected === null || actual === null)
    return expected === actual ? undefined : differs
  if (Array.isArray(expected) !== Array.isArray(actual)) return differs
  for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    // Both are objects; a field that one of them lacks is undefined there.
    const found = difference(
      (expected as Record<string, unknown>)[key],
      (actual as Record<string, unknown>)[key],
      `${path}.${key}`,
    )
    if (found !== undefined) return found
  }
  return undefined
}
