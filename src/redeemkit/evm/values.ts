import type { Hex } from 'viem'
import { InvalidAmountError } from '../core/amount/parseAmount.ts'
import { BaseError } from '../core/errors/baseError.ts'
import { InvalidRecordError } from '../core/errors/inputErrors.ts'
import { showKey } from '../core/errors/showKey.ts'
import { showValue } from '../core/errors/showValue.ts'

/**
 * Takes true or false, and nothing that only counts as one of them.
 *
 * @throws {@link InvalidFlagError}
 */
export function checkBoolean(value: unknown, field: string): boolean {
  if (typeof value === 'boolean') return value
  throw new InvalidFlagError(`${showValue(value)} is neither true nor false.`, {
    field,
    fix: 'Give a boolean.',
  })
}

/** Something that should have been true or false. */
export class InvalidFlagError extends BaseError {
  override readonly name = 'InvalidFlagError'
}

/**
 * Takes a chain id: a positive integer that a double holds exactly.
 *
 * @throws {@link InvalidChainIdError}
 */
export function checkChainId(value: unknown, field: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value <= 0)
    throw new InvalidChainIdError(`${showValue(value)} is not a chain id.`, {
      field,
      fix: 'Give a positive integer as a number, such as 8453.',
      docs: 'EIP-155',
    })
  return value
}

/** Something that is not a chain id. */
export class InvalidChainIdError extends BaseError {
  override readonly name = 'InvalidChainIdError'
}

const hexText = /^0x(?:[0-9a-fA-F]{2})*$/

/**
 * Takes whole bytes as 0x-hex. The text is returned as it is, in its own case.
 *
 * @param options.bytes the exact length, when there is one
 * @throws {@link InvalidHexError}
 */
export function checkHex(value: unknown, field: string, options: { bytes?: number | undefined } = {}): Hex {
  const { bytes } = options
  if (typeof value !== 'string' || !hexText.test(value))
    throw new InvalidHexError(`${showValue(value, 24)} is not 0x-hex of whole bytes.`, {
      field,
      fix: 'Give 0x and an even number of hexadecimal digits.',
    })
  if (bytes !== undefined && value.length !== 2 + 2 * bytes)
    throw new InvalidHexError(`${showValue(value, 24)} has ${(value.length - 2) / 2} bytes.`, {
      field,
      fix: `Give exactly ${bytes} bytes: 0x and ${2 * bytes} hexadecimal digits.`,
    })
  // `hexText` has just proved the 0x that the type asks for
  return value as Hex
}

/** Text that is not hexadecimal bytes, or not as many as there must be. */
export class InvalidHexError extends BaseError {
  override readonly name = 'InvalidHexError'
}

/**
 * Takes a plain object whose fields are the required ones and any of the optional ones, and nothing else.
 *
 * @throws {@link InvalidRecordError} when it is no object; {@link MissingFieldError}; {@link UnknownFieldError}
 */
export function checkKeys(
  value: unknown,
  field: string,
  keys: { required: readonly string[]; optional?: readonly string[] | undefined },
): Record<string, unknown> {
  const record = checkRecord(value, field)
  for (const key of keys.required)
    if (!Object.hasOwn(record, key) || record[key] === undefined)
      throw new MissingFieldError(`Field ${showValue(key)} is missing.`, {
        field: path(field, key),
        fix: `Give all of ${keys.required.join(', ')}.`,
      })
  for (const key of Object.keys(record))
    if (!keys.required.includes(key) && !keys.optional?.includes(key) && record[key] !== undefined)
      throw new UnknownFieldError(`Field ${showValue(key)} is not known here.`, {
        field: path(field, key),
        fix: `Leave it out. Known are ${[...keys.required, ...(keys.optional ?? [])].join(', ')}.`,
      })
  return record
}

export declare namespace checkKeys {
  type ErrorType = MissingFieldError | UnknownFieldError | InvalidRecordError
}

/**
 * Takes an object that is not a list.
 *
 * @throws {@link InvalidRecordError}
 */
export function checkRecord(value: unknown, field: string): Record<string, unknown> {
  let readable = ''
  try {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      Reflect.get(value, '')
      // an object that is no list can be read by field name; each value is still unknown
      return value as Record<string, unknown>
    }
  } catch {
    // a proxy that throws: it would break where nobody expects it
    readable = ' that can be read'
  }
  throw new InvalidRecordError(`${showValue(value)} is not an object with fields${readable}.`, {
    field: field === '' ? undefined : field,
    fix: 'Give an object.',
  })
}

const path = (field: string, key: string) => `${field}${field && '.'}${showKey(key)}`

/** A field that must be there is not. */
export class MissingFieldError extends BaseError {
  override readonly name = 'MissingFieldError'
}

/** A field that is not among the known ones. */
export class UnknownFieldError extends BaseError {
  override readonly name = 'UnknownFieldError'
}

const loneSurrogate = /\p{Surrogate}/u

/**
 * Takes text that has one UTF-8 form. Half of a surrogate pair has none: encoders replace it in silence, and two
 * different texts would hash alike.
 *
 * @throws {@link InvalidTextError}
 */
export function checkText(value: unknown, field: string): string {
  if (typeof value !== 'string')
    throw new InvalidTextError(`${showValue(value)} is not text.`, { field, fix: 'Give a string.' })
  if (loneSurrogate.test(value))
    throw new InvalidTextError('The text holds half of a surrogate pair, which has no UTF-8 form.', {
      field,
      fix: 'Give well-formed Unicode.',
    })
  return value
}

/** Something that is not well-formed text. */
export class InvalidTextError extends BaseError {
  override readonly name = 'InvalidTextError'
}

/**
 * Refuses what is over, or over in at most `marginSeconds`. Bounds are exclusive: at `validBefore` it is over.
 *
 * @throws {@link ExpiredError}
 */
export function checkNotExpired(validBefore: bigint, now: bigint, field: string, marginSeconds = 0n): void {
  if (validBefore > now + marginSeconds) return
  const left = validBefore - now
  throw new ExpiredError(
    left > 0n
      ? `It expires in ${left} s, and more than ${marginSeconds} s are needed.`
      : `It expired ${-left} s ago, at ${validBefore}.`,
    { field, fix: 'Prepare again, and check the clock of this machine.' },
  )
}

/**
 * Refuses what is not valid yet. Bounds are exclusive: at `validAfter` it is not.
 *
 * @throws {@link NotYetValidError}
 */
export function checkNotTooEarly(validAfter: bigint, now: bigint, field: string): void {
  if (validAfter < now) return
  throw new NotYetValidError(`It is valid only after ${validAfter}, and now is ${now}.`, {
    field,
    fix: 'Use 0 for "from now on", and check the clock of this machine.',
  })
}

/**
 * Refuses what would live longer than `maximumSeconds`.
 *
 * @throws {@link TooFarAheadError}
 */
export function checkNotTooFarAhead(
  validBefore: bigint,
  now: bigint,
  field: string,
  maximumSeconds: bigint,
): void {
  if (validBefore <= now + maximumSeconds) return
  throw new TooFarAheadError(
    `It expires in ${validBefore - now} s, and at most ${maximumSeconds} s are allowed.`,
    { field, fix: 'Prepare with an earlier expiry, and check the clock of this machine.' },
  )
}

/** Something whose time is over, or nearly. */
export class ExpiredError extends BaseError {
  override readonly name = 'ExpiredError'
}

/** Something whose time has not come. */
export class NotYetValidError extends BaseError {
  override readonly name = 'NotYetValidError'
}

/** Something that would live too long. */
export class TooFarAheadError extends BaseError {
  override readonly name = 'TooFarAheadError'
}

const uint256Max = (1n << 256n) - 1n
const digits = /^(?:0|[1-9]\d{0,77})$/

/**
 * Takes a bigint that fits into a uint256.
 *
 * @throws {@link InvalidAmountError} for other types, negatives, and anything above 2^256 - 1
 */
export function checkUint(value: unknown, field: string): bigint {
  if (typeof value !== 'bigint')
    throw new InvalidAmountError(`${showValue(value)} is not a bigint.`, {
      field,
      fix: 'Give raw units as a bigint, such as 1_000_000n: never a number, which rounds.',
    })
  if (value < 0n || value > uint256Max)
    throw new InvalidAmountError(`${showValue(value)} does not fit into a uint256.`, {
      field,
      fix: 'Give a value between 0 and 2^256 - 1.',
    })
  return value
}

/**
 * Reads a uint256 as the wire writes it: decimal text, or a JSON number that a double holds exactly.
 *
 * @throws {@link InvalidAmountError} for anything else: signs, points, exponents, hex, leading zeros, above 2^256 - 1
 */
export function parseUint(value: unknown, field: string): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value)
  if (typeof value !== 'string' || !digits.test(value))
    throw new InvalidAmountError(`${showValue(value)} is not a whole, non-negative number.`, {
      field,
      fix: 'Send decimal digits as text; JSON numbers only up to 2^53 - 1.',
    })
  return checkUint(BigInt(value), field)
}
