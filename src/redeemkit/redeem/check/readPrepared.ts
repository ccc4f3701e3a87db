import { isPromise } from '../../core/checkOptions.ts'
import { type Clock, type InvalidClockError, unixSeconds } from '../../core/clock.ts'
import { BaseError } from '../../core/errors/baseError.ts'
import type { Finding } from '../../core/finding/finding.ts'
import { checkAddress } from '../../evm/checkAddress.ts'
import { checkHex, checkRecord, ExpiredError, TooFarAheadError } from '../../evm/values.ts'
import { lightCreditsAuthMsgAnswer } from '../../schema/light.ts'
import { readRecord } from '../../schema/readRecord.ts'
import type { CreditsAuthMsgResponse } from '../../schema/redeem.ts'
import {
  type InvalidRedeemRequestError,
  type InvalidSubtotalError,
  PinsRequiredError,
  PreparedMismatchError,
  RandomNonceError,
  StoredRedeemError,
} from '../errors.ts'
import type { PreparedRedeem, RedeemPins, RedeemRequest, RedeemTerms } from '../preparedRedeem.ts'
import { type CheckedRedeem, checkAnswer } from './checkAnswer.ts'
import { same } from './compare.ts'
import { readPins, readRedeemTerms, readRequest } from './readRedeemTerms.ts'

/** Results of `prepareRedeem` and `signRedeem` in this page. They are frozen, so they cannot have been changed. */
const ownResults = new WeakSet<object>()

export function keepOwn<T extends object>(result: T): T {
  ownResults.add(result)
  return result
}

export const isOwn = (data: unknown) => ownResults.has(data as object) // false for anything but an object

/**
 * Repeats every check. Derived values are computed again, so that a change of a single field is detected. Only the caller's own pins and
 * request detect data that was changed consistently.
 */
export function readPrepared(
  data: PreparedRedeem,
  options: {
    pinned?: RedeemPins | undefined
    request?: RedeemRequest | undefined
    purchaseId?: string | undefined
    allowRandomNonce?: boolean | undefined
    /** `null` skips the time checks, for a redeem that is already signed. */
    now?: Clock | null | undefined
  },
): CheckedRedeem & { own: boolean } {
  const { pinned, request } = options
  // Null would skip the check of the value.
  for (const field of ['pinned', 'request'] as const)
    if (options[field] !== undefined) checkRecord(options[field], field)
  const own = isOwn(data)
  if (!own && pinned === undefined)
    throw new PinsRequiredError('No pinned values were passed for the stored redeem.', {
      field: 'pinned',
      fix: 'Pass `pinned`, from the same configuration as for prepareRedeem, and preferably `request`.',
    })
  const stored = plain(data)
  if (stored.version !== 1)
    throw new StoredRedeemError('The data is not a prepared redeem of version 1.', {
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
    allowRandomNonce: options.allowRandomNonce ?? own,
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
      `The stored redeem was changed since it was prepared: ${changed.path} does not match the rest.`,
      { field: changed.path, fix: changedFix },
    )
  return { ...checked, own }
}

/** The data passed every check when it was prepared, so a failure means a change. */
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
      // Derive the order key of a purchaseId again, so that a changed one is detected.
      terms: readRedeemTerms({ merchantId }, { ...request, wallet, chainId, pinned, purchaseId }, own),
      answer: readRecord(lightCreditsAuthMsgAnswer, stored.answer, { field: 'prepared.answer' }),
      ...(stored.dryRun !== undefined && { dryRun: readDryRun(stored.dryRun) }),
    }
  } catch (error) {
    throw changedSince(error)
  }
}

/** Checks only the form of the findings, because they are only displayed. */
function readDryRun(given: readonly Finding[]): readonly Finding[] {
  const isFinding = ({ severity, code, message }: Record<string, unknown>) =>
    [severity, code, message].every((text) => typeof text === 'string')
  if (Array.isArray(given) && given.every((one) => isFinding(Object(one)))) return given
  throw new StoredRedeemError('The stored dry run is not a list of findings.', {
    field: 'prepared.dryRun',
    fix: changedFix,
  })
}

const changedFix =
  'Do not sign it. Prepare again, and check who can write to the storage: the data was changed there.'

/** Unchanged data can cause expiry and random-nonce errors; any other error means that the data was changed. */
function changedSince(
  error: unknown,
): StoredRedeemError | ExpiredError | TooFarAheadError | RandomNonceError {
  if (error instanceof ExpiredError || error instanceof TooFarAheadError || error instanceof RandomNonceError)
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
    | StoredRedeemError
    | readPins.ErrorType
    | readRecord.ErrorType
    | InvalidRedeemRequestError
    | InvalidSubtotalError
    | ExpiredError
    | InvalidClockError
    | PinsRequiredError
    | PreparedMismatchError
    | TooFarAheadError
    | RandomNonceError
}

/** Copies the data, so that it cannot change during the checks. */
export function plain<T>(data: T): T {
  try {
    if (isPromise(data)) throw data
    const copy: unknown = JSON.parse(JSON.stringify(data))
    // Each field is checked where it is used.
    if (typeof copy === 'object' && copy !== null) return copy as T
  } catch {
    // The error below says that the data is not JSON.
  }
  const isMissing = data === undefined || data === null
  throw new StoredRedeemError(isMissing ? 'There is no stored redeem.' : 'The data is not a stored redeem.', {
    fix: isMissing
      ? 'If a signed redeem may already be submitted, look up its nonce with findRedeem. Otherwise prepare again.'
      : `Pass what the previous step returned, or its JSON copy${isPromise(data) ? '; await it first' : ''}.`,
  })
}

function compare(name: string, expected: object | undefined, actual: object): void {
  const found = expected && difference(expected, actual, name)
  if (found === undefined) return
  const { path, expected: own, actual: stored } = found
  throw new PreparedMismatchError(
    path,
    ...apart(own, stored),
    `Do not sign it. Prepare again: the prepared redeem is for a different ${name === 'request' ? 'request' : 'deployment'} than the one you passed.`,
  )
}

function apart(one: unknown, other: unknown): [unknown, unknown] {
  if (typeof one !== 'string' || typeof other !== 'string' || Math.max(one.length, other.length) <= 80)
    return [one, other]
  let at = 0
  while (one[at] === other[at]) at++
  const cut = (text: string) => `${at > 10 ? '…' : ''}${text.slice(Math.max(0, at - 10), at + 50)}`
  return [cut(one), cut(other)]
}

type Difference = { path: string; expected: unknown; actual: unknown }

export function difference(expected: unknown, actual: unknown, path: string): Difference | undefined {
  const differs = { path, expected, actual }
  if (typeof expected !== 'object' || typeof actual !== 'object' || expected === null || actual === null)
    return expected === actual ? undefined : differs
  if (Array.isArray(expected) !== Array.isArray(actual)) return differs
  for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    // Both are objects; a missing field is undefined.
    const found = difference(
      (expected as Record<string, unknown>)[key],
      (actual as Record<string, unknown>)[key],
      `${path}.${key}`,
    )
    if (found !== undefined) return found
  }
  return undefined
}

/** Without the caller's own request, changed data would not be detected. */
export function requireRequest(request: RedeemRequest | undefined): RedeemRequest {
  if (request === undefined)
    throw new PinsRequiredError('No request was passed for the prepared redeem.', {
      field: 'request',
      fix: 'Pass `request` (subtotal, transactionData, usdcAmount), with the values that you passed to prepareRedeem.',
    })
  return request
}
