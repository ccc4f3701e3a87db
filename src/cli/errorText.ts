import { BaseError } from '../core/errors/baseError.ts'
import { oneLine } from '../core/errors/oneLine.ts'
import { showText } from '../core/errors/showText.ts'
import { showValue } from '../core/errors/showValue.ts'

/**
 * An error as a terminal shows it. Ours say what to do; of all others their words, quoted, and where they were thrown:
 * never what they hold, which may be a request with its headers.
 */
export function errorText(error: unknown): string {
  if (error instanceof BaseError) return `${error.name}: ${error.message}`
  if (!(error instanceof Error)) return showValue(error)
  const words = 'shortMessage' in error ? String(error.shortMessage) : error.message
  const places = `${error.stack}`.split('\n').filter((line) => /^ +at /.test(line))
  return [`${oneLine(error.name)}: ${showText(words)}`, ...places.map(oneLine)].join('\n')
}
