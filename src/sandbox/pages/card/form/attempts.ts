import { isRecord, textOf } from './isRecord.ts'

/** A purchase that was begun: enough to send the same once more, and nothing of the card but its token. */
export type Attempt = {
  purchaseId: string
  /** Body of the checkout; undefined before the first press. */
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
  read: () => Attempt | undefined
  write: (attempt: Attempt | undefined) => void
} {
  const name = `card-form ${key}`
  return {
    read: () => {
      try {
        const kept: unknown = JSON.parse(sessionStorage.getItem(name) ?? 'null')
        return isAttempt(kept) ? kept : undefined
      } catch {
        return undefined
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

/** As hard to guess as a UUID. */
export function newPurchaseId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}

function isAttempt(kept: unknown): kept is Attempt {
  return isRecord(kept) && textOf(kept.purchaseId, 256) !== undefined
}
