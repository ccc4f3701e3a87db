import { isServiceError, type ServiceError } from '../../api/serviceError.ts'

/** What the bank wants to be shown before it pays (3DS); `undefined` for every other error. */
export function challengeOf(error: unknown): ServiceError['challenge'] {
  return isServiceError(error) ? error.challenge : undefined
}
