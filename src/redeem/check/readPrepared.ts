import { type Clock, type InvalidClockError, unixSeconds } from '../../core/time/clock.ts'
import { checkRecord } from '../../evm/values/checkKeys.ts'
import { creditsAuthMsgResponse } from '../../schema/creditsAuthMsg.ts'
import { loose } from '../../schema/loose.ts'
import { parseRecord } from '../../schema/parseRecord.ts'
import { PinsRequiredError, PreparedMismatchError, StoredRedeemError } from '../errors.ts'
import type { PreparedRedeem, RedeemPins, RedeemRequest } from '../preparedRedeem.ts'
import { readPins, readRedeemTerms, readRequest } from '../request/readRedeemTerms.ts'
import { type CheckedRedeem, checkAnswer } from './checkAnswer.ts'

const answerRecord = loose(creditsAuthMsgResponse)

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
 * Takes a prepared redeem, from memory or from storage, and repeats every check on it.
 *
 * All that follows from terms and answer is computed anew and compared with what the data says, so that a change of any
 * one field is found. Data that was changed throughout can agree with itself: that is what the caller's own pins and
 * request are for.
 *
 * @throws {@link StoredRedeemError}; {@link PinsRequiredError}; {@link PreparedMismatchError}; what `checkAnswer` throws
 */
export function readPrepared(
  data: PreparedRedeem,
  options: {
    pinned?: RedeemPins | undefined
    request?: RedeemRequest | undefined
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
  const { merchantId, wallet, chainId, salt } = stored
  const terms = readRedeemTerms(
    { merchantId },
    { ...stored.request, wallet, chainId, salt, pinned: stored.pinned },
  )
  const checked = checkAnswer(terms, parseRecord(answerRecord, stored.answer, { field: 'prepared.answer' }), {
    now: options.now === null ? undefined : unixSeconds(options.now),
    allowUnbound: options.allowUnbound ?? own,
  })
  const changed = difference(checked.prepared, stored, 'prepared')
  if (changed !== undefined)
    throw new StoredRedeemError(`${changed} is not what follows from the rest of the prepared redeem.`, {
      field: changed,
      fix: 'Do not sign it: it was changed since it was prepared. Prepare again.',
    })
  compare('pinned', pinned && readPins(pinned, chainId), terms.pinned)
  compare('request', request && readRequest(request), terms.request)
  return { ...checked, own }
}

export declare namespace readPrepared {
  type ErrorType =
    | readRedeemTerms.ErrorType
    | checkAnswer.ErrorType
    | plain.ErrorType
    | InvalidClockError
    | PinsRequiredError
}

/** A copy of stored data as plain JSON, so that it cannot change while it is checked. */
export function plain<T>(data: T): T {
  try {
    const copy: unknown = JSON.parse(JSON.stringify(data))
    // The fields are checked one by one where they are used.
    if (typeof copy === 'object' && copy !== null) return copy as T
  } catch {}
  throw new StoredRedeemError('This is no stored redeem.', {
    fix: 'Pass what the step before returned, or what JSON.parse made of it.',
  })
}

export declare namespace plain {
  type ErrorType = StoredRedeemError
}

function compare(name: string, expected: object | undefined, actual: object): void {
  const field = expected && difference(expected, actual, name)
  if (field !== undefined)
    throw new PreparedMismatchError(
      field,
      'what you passed now',
      'something else',
      'Do not sign it: the stored redeem is for something else. Prepare again.',
    )
}

/** Path of the first field in which two pieces of plain data differ. */
function difference(expected: unknown, actual: unknown, path: string): string | undefined {
  if (typeof expected !== 'object' || typeof actual !== 'object' || expected === null || actual === null)
    return expected === actual ? undefined : path
  if (Array.isArray(expected) !== Array.isArray(actual)) return path
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
