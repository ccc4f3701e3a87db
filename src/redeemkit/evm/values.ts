import type { Hex } from 'viem'
import { InvalidAmountError } from '../core/amount.ts'
import { BaseError } from '../core/errors/baseError.ts'
import type { InvalidRecordError } from '../core/errors/inputErrors.ts'
import { showKey, showValue } from '../core/errors/showValue.ts'
import { checkRecord } from './checkRecord.ts'

export { checkRecord }

export function checkBoolean(value: unknown, field: string): boolean {
  if (typeof value === 'boolean') return value
  throw new InvalidFlagError(`${showValue(value)} is not a boolean.`, { field, fix: 'Pass a boolean.' })
}

/** A value that is not a boolean. */
export class InvalidFlagError extends BaseError {
  override readonly name = 'InvalidFlagError'
}

export function checkChainId(value: unknown, field: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value <= 0)
    throw new InvalidChainIdError(`${showValue(value)} is not a chain id.`, {
      field,
      fix: 'Pass a positive integer as a number, such as 8453.',
      source: 'EIP-155',
    })
  return value
}

/** An invalid chain id. */
export class InvalidChainIdError extends BaseError {
  override readonly name = 'InvalidChainIdError'
}

/** Whether a value is 0x-hex of whole bytes. If `bytes` is given, it must have exactly that length. */
export function isHex(value: unknown, bytes?: number): value is Hex {
  return (
    typeof value === 'string' &&
    /^0x(?:[0-9a-fA-F]{2})*$/.test(value) &&
    (bytes === undefined || value.length === 2 + 2 * bytes)
  )
}

export function checkHex(value: unknown, field: string, options: { bytes?: number | undefined } = {}): Hex {
  const { bytes } = options
  if (!isHex(value))
    throw new InvalidHexError(`${showValue(value, 24)} is not 0x-hex with whole bytes.`, {
      field,
      fix: 'Pass 0x and an even number of hexadecimal digits.',
    })
  if (bytes !== undefined && value.length !== 2 + 2 * bytes)
    throw new InvalidHexError(`${showValue(value, 24)} has ${(value.length - 2) / 2} bytes.`, {
      field,
      fix: `Pass exactly ${bytes} bytes: 0x and ${2 * bytes} hexadecimal digits.`,
    })
  return value
}

/** Whether two hex texts are equal, ignoring case. False if one is missing. */
export function sameHex(one: string | null | undefined, other: string | null | undefined): boolean {
  return typeof one === 'string' && one.toLowerCase() === other?.toLowerCase()
}

/** The value is not 0x-hex of whole bytes, or has the wrong length. */
export class InvalidHexError extends BaseError {
  override readonly name = 'InvalidHexError'
}

/** Refuses a missing required field, and any field that is neither required nor optional. */
export function checkKeys(
  value: unknown,
  field: string,
  keys: { required: readonly string[]; optional?: readonly string[] | undefined },
): Record<string, unknown> {
  const record = checkRecord(value, field)
  const known = [...keys.required, ...(keys.optional ?? [])]
  const others = Object.keys(record).filter((key) => !known.includes(key))
  for (const key of keys.required)
    if (!Object.hasOwn(record, key) || record[key] === undefined)
      throw new MissingFieldError(`Field ${showValue(key)} is missing.`, {
        field: path(field, key),
        fix: `Pass all of ${keys.required.join(', ')}${others[0] === undefined ? '' : ` (${showValue(others[0])} is not one of them)`}.`,
      })
  for (const key of others)
    if (record[key] !== undefined)
      throw new UnknownFieldError(`Field ${showValue(key)} is not supported.`, {
        field: path(field, key),
        fix: `Omit it. Allowed: ${known.join(', ')}.`,
      })
  return record
}

export declare namespace checkKeys {
  type ErrorType = MissingFieldError | UnknownFieldError | InvalidRecordError
}

const path = (field: string, key: string) => `${field}${field && '.'}${showKey(key)}`

/** A missing required field. */
export class MissingFieldError extends BaseError {
  override readonly name = 'MissingFieldError'
}

/** An unknown field. */
export class UnknownFieldError extends BaseError {
  override readonly name = 'UnknownFieldError'
}

const loneSurrogate = /\p{Surrogate}/u

/** Refuses lone surrogates: encoders replace them without an error, so two different texts would have the same hash. */
export function checkText(value: unknown, field: string): string {
  if (typeof value !== 'string')
    throw new InvalidTextError(`${showValue(value)} is not text.`, { field, fix: 'Pass a string.' })
  if (loneSurrogate.test(value))
    throw new InvalidTextError('The text has a lone surrogate, which has no UTF-8 encoding.', {
      field,
      fix: 'Pass well-formed Unicode.',
    })
  return value
}

/** A value that is not well-formed text. */
export class InvalidTextError extends BaseError {
  override readonly name = 'InvalidTextError'
}

/**
 * Throws if `validBefore` is in the past or at most `marginSeconds` away. The bound is exclusive: at `validBefore`, the value has expired.
 */
export function checkNotExpired(validBefore: bigint, now: bigint, field: string, marginSeconds = 0n): void {
  if (validBefore > now + marginSeconds) return
  const left = validBefore - now
  throw new ExpiredError(
    left > 0n
      ? `The request expires in ${left} s, but it must be valid for more than ${marginSeconds} s.`
      : `The request expired at ${validBefore}, ${-left} s ago.`,
    { field, fix: 'Prepare again, and check the system clock.' },
  )
}

/** Throws if `validAfter` is not in the past. The bound is exclusive: at `validAfter`, the value is not valid yet. */
export function checkNotTooEarly(validAfter: bigint, now: bigint, field: string): void {
  if (validAfter < now) return
  throw new NotYetValidError(`The request is valid only after ${validAfter}, but it is now ${now}.`, {
    field,
    fix: 'Set `validAfter` to 0 to make the request valid immediately, and check the system clock.',
  })
}

export function checkNotTooFarAhead(
  validBefore: bigint,
  now: bigint,
  field: string,
  maximumSeconds: bigint,
): void {
  if (validBefore <= now + maximumSeconds) return
  throw new TooFarAheadError(
    `The request expires in ${validBefore - now} s, but at most ${maximumSeconds} s are allowed.`,
    { field, fix: 'Prepare with an earlier expiry, and check the system clock.' },
  )
}

/** The value has expired, or expires too soon. */
export class ExpiredError extends BaseError {
  override readonly name = 'ExpiredError'
}

/** The value is not valid yet. */
export class NotYetValidError extends BaseError {
  override readonly name = 'NotYetValidError'
}

/** The value expires too late. */
export class TooFarAheadError extends BaseError {
  override readonly name = 'TooFarAheadError'
}

export const uint256Max = (1n << 256n) - 1n
const digits = /^(?:0|[1-9]\d{0,77})$/

/** Checks that a value is a bigint that fits in a uint256. */
export function checkUint(value: unknown, field: string): bigint {
  if (typeof value !== 'bigint')
    throw new InvalidAmountError(`${showValue(value)} is not a bigint.`, {
      field,
      fix: 'Pass raw units as a bigint, such as 1_000_000n. A number could be rounded.',
    })
  if (value < 0n || value > uint256Max)
    throw new InvalidAmountError(`${showValue(value)} does not fit in a uint256.`, {
      field,
      fix: 'Pass a value between 0 and 2^256 - 1.',
    })
  return value
}

/** Parses a uint256 from JSON: decimal text without leading zeros, or a safe integer. */
export function parseUint(value: unknown, field: string): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value)
  if (typeof value !== 'string' || !digits.test(value))
    throw new InvalidAmountError(`${showValue(value)} is not a whole, non-negative number.`, {
      field,
      fix: 'Send decimal digits as text; JSON numbers only up to 2^53 - 1.',
    })
  return checkUint(BigInt(value), field)
}
