import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { ServiceRefusalError } from './ask.ts'

/** What a person is told of an error. */
export function wordsOf(error: unknown): string {
  if (error instanceof ServiceRefusalError) return error.shortMessage
  if (error instanceof BaseError) return [error.shortMessage, error.fix].filter(Boolean).join(' ')
  // Not ours: its words may quote what was sent.
  return 'The service could not be asked. Its own log says why.'
}
