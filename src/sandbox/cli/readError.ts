import { BaseError } from '../../redeemkit/core/errors/baseError.ts'
import { oneLine } from '../../redeemkit/core/errors/oneLine.ts'
import { showText } from '../../redeemkit/core/errors/showText.ts'
import { showValue } from '../../redeemkit/core/errors/showValue.ts'
import { fieldInFlags, textInFlags } from './inFlags.ts'

/** What a command shows of an error. */
export type ReadError = {
  name?: string | undefined
  message: string
  field?: string | undefined
  fix?: string | undefined
  docs?: string | undefined
  /** Where it was thrown. */
  places?: readonly string[] | undefined
}

/**
 * Ours say what to do, in the words of the command line; of all others their words, quoted, and where they were thrown: never what
 * they hold, which may be a request with its headers.
 */
export function readError(error: unknown): ReadError {
  if (error instanceof BaseError) {
    const { name, shortMessage, field, fix, docs } = error
    return {
      name,
      message: textInFlags(shortMessage),
      field: field && fieldInFlags(field),
      fix: fix && textInFlags(fix),
      docs,
    }
  }
  if (!(error instanceof Error)) return { message: showValue(error) }
  const words = 'shortMessage' in error ? String(error.shortMessage) : error.message
  const places = `${error.stack}`.split('\n').filter((line) => /^ +at /.test(line))
  return { name: oneLine(error.name), message: showText(words), places: places.map(oneLine) }
}
