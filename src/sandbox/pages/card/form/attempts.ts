import { isRecord } from './isRecord.ts'

/** A checkout that may have been sent: enough to send the same again, and nothing of the card but its token. */
export type Attempt = {
  /** The checkout's body without the order; undefined before the first click. */
  body?: Record<string, unknown>
  /** When that left first. */
  sentAt?: number
  /** Of a challenge that is open. */
  challenge?: { transactionId: string; url: string }
}

/**
 * What this tab keeps of a challenge over a reload. A browser may refuse the storage to a frame of another site: then the form is shown
 * anew, under the same id, and the challenge expires.
 */
export function attemptsOf(key: string): {
  read: () => Attempt
  write: (attempt: Attempt | undefined) => void
} {
  const name = `card-form ${key}`
  return {
    read: () => {
      try {
        const kept: unknown = JSON.parse(sessionStorage.getItem(name) ?? 'null')
        return isRecord(kept) ? kept : {} // as this form wrote it
      } catch {
        return {}
      }
    },
    write: (attempt) => {
      try {
        if (attempt === undefined) sessionStorage.removeItem(name)
        else sessionStorage.setItem(name, JSON.stringify(attempt))
      } catch {
        // The service still knows the purchase by its id.
      }
    },
  }
}
