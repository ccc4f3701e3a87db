import { BaseError } from '../../../core/errors/baseError.ts'
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
    details:
      details &&
      Object.fromEntries(
        Object.entries(details).map(([name, value]) => [
          name,
          typeof value === 'string' ? hidden(value) : value,
        ]),
      ),
  })
}

function textsOf(details: Record<string, unknown> = {}): string[] {
  return Object.values(details).filter((value) => typeof value === 'string')
}

/** An id, an address or a hash of ours comes first, and stays: one in hundreds has the digits of a card number in it by chance. */
const numbers =
  /(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|0x(?:[0-9a-f]{64}|[0-9a-f]{40}))(?![0-9a-f])|\d(?:[ -]?\d){12,18}/gi

function hidden(text: string): string {
  return text.replace(numbers, (found) =>
    /^[\d -]+$/.test(found) && passesLuhn(found.replace(/[ -]/g, '')) ? '[card number]' : found,
  )
}
