import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { describeError } from './describeError.ts'
import { passesLuhn } from './passesLuhn.ts'
import { problem } from './problem.ts'

/**
 * An error whose words quote what came, with `[card number]` in the place of what could be one: wherever somebody puts a card
 * number, in no answer and in no log does it come back (PROTOCOL.md 10.3). Errors that are not ours are answered and reported
 * without their words.
 */
export function withoutCardNumbers(error: unknown): unknown {
  if (!(error instanceof BaseError)) return error
  const { code, message, issues, details } = describeError(error)
  if (![error.message, message, ...(issues ?? []), ...textsOf(details)].some((text) => hidden(text) !== text))
    return error
  // Without its cause, which quotes the same.
  return problem(code, hidden(message), {
    issues: issues?.map(hidden),
    details: details && mapValues(details),
  })
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}

function hiddenIn(value: unknown): unknown {
  if (typeof value === 'string') return hidden(value)
  if (Array.isArray(value)) return value.map(hiddenIn)
  return typeof value === 'object' && value !== null ? mapValues(value) : value
}

function mapValues(record: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, hiddenIn(value)]))
}

/**
 * An id, an address, a hash of ours, or the whole words of a contract's error come first, and stay: one in hundreds has the digits of a
 * card number in it by chance, and so has any number of zeros.
 */
const numbers =
  /(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|0x(?:[0-9a-f]{8}(?:[0-9a-f]{64})+|[0-9a-f]{64}|[0-9a-f]{40}))(?![0-9a-f])|\d(?:[ -]?\d){12,18}/gi

function hidden(text: string): string {
  return text.replace(numbers, (found) =>
    /^[\d -]+$/.test(found) && passesLuhn(found.replace(/[ -]/g, '')) ? '[card number]' : found,
  )
}
