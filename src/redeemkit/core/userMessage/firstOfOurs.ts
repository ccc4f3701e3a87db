import { BaseError } from '../errors/baseError.ts'

/** Frameworks wrap thrown errors, so this also searches the causes. */
export function firstOfOurs(error: unknown): BaseError | undefined {
  try {
    let at = error
    for (let depth = 0; depth < 16 && at instanceof Error; depth++) {
      if (at instanceof BaseError) return at
      at = at.cause
    }
  } catch {
    // Reading the error threw, so it is not a redeemkit error.
  }
  return undefined
}
