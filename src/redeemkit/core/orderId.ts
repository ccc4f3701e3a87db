import { BaseError } from './errors/baseError.ts'
import { showValue } from './errors/showValue.ts'

/** In characters (PROTOCOL.md 3.2). */
export const longestOrderId = 256

/** Control, format, unassigned, surrogate and default-ignorable characters, Braille blank, and every space except U+0020. */
const forbidden = /[\p{Cc}\p{Cf}\p{Cn}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Z}/u

/** Two ids that look the same must not be different orders, so invisible characters and text that is not in Unicode NFC are rejected. */
export function checkOrderId(value: unknown, field: string): string {
  const reason = orderIdProblem(value)
  if (reason === undefined) return value as string // `orderIdProblem` accepts only text
  throw new InvalidOrderIdError(`${showValue(value)} ${reason}.`, {
    field,
    fix: `Pass 1 to ${longestOrderId} visible characters in Unicode NFC, such as 32 random hexadecimal digits.`,
  })
}

export declare namespace checkOrderId {
  type ErrorType = InvalidOrderIdError
}

/** Returns why a value cannot be an id, such as "is empty". */
export function orderIdProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'is not text'
  if (value === '') return 'is empty'
  if (value.length > longestOrderId) return `is longer than ${longestOrderId} characters`
  if (value.trim() !== value) return 'starts or ends with white space'
  const [character] = forbidden.exec(value) ?? []
  if (character !== undefined)
    return `contains the invisible character U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
  if (value.normalize('NFC') !== value) return 'is not in Unicode normalization form NFC'
  return undefined
}

/** The value cannot be the id of an order or a merchant. */
export class InvalidOrderIdError extends BaseError {
  override readonly name = 'InvalidOrderIdError'
}
