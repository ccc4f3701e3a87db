import { BaseError } from '../errors/baseError.ts'

/** Returns the error, or the first of its causes, that is a redeemkit error. Frameworks wrap thrown errors. */
export function firstOfOurs(error: unknown): BaseError | undefined {
  try {
    let at = error
    for (let depth = 0; depth < 16 && at instanceof Error; depth++) {
      if (at instanceof BaseError) return at
      at = at.cause
    }
  } catch {
    // an object that throws when inspected is not a redeemkit error
  }
  return undefined
}
