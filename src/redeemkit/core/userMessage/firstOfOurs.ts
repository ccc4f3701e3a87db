import { BaseError } from '../errors/baseError.ts'

/** The error itself, or the first of its causes that is ours: frameworks wrap what they are thrown. */
export function firstOfOurs(error: unknown): BaseError | undefined {
  try {
    let at = error
    for (let depth = 0; depth < 16 && at instanceof Error; depth++) {
      if (at instanceof BaseError) return at
      at = at.cause
    }
  } catch {
    // an object that breaks while it is looked at is none of ours
  }
  return undefined
}
