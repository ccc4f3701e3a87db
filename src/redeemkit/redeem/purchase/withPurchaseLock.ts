import { RequestAbortedError } from '../../api/errors.ts'
import { within } from '../within.ts'

export type LockState = {
  waited: boolean
  /** Whether a Web Lock excludes other pages of this origin. */
  locked: boolean
}

const unlocked: LockState = { waited: false, locked: false }

const running = new Map<string, { subject: string; result: Promise<unknown> }>()

/**
 * In one process, a call with the same subject returns the result of the running call. With `across`, other pages of the same origin wait
 * too, if the browser has Web Locks.
 */
export async function withPurchaseLock<T>(name: string, options: withPurchaseLock.Options<T>): Promise<T> {
  const { subject, work } = options
  const other = running.get(name)
  if (other !== undefined) {
    await options.onWait()
    if (other.subject === subject)
      try {
        // The same name and subject have the same result type.
        return await waitFor(other.result as Promise<T>, options.signal)
      } catch (error) {
        // Aborting the other call does not end this one.
        if (!(error instanceof RequestAbortedError) || options.signal?.aborted) throw error
        return withPurchaseLock(name, options)
      }
    await waitFor(
      // The other call reports its own error.
      other.result.catch(() => undefined),
      options.signal,
    )
    return withPurchaseLock(name, options)
  }
  // Node 24 has locks too, but they do not exclude other processes; test environments may define them as null.
  const isBrowser = globalThis.isSecureContext === true
  const locks: LockManager | undefined =
    (options.across && isBrowser && globalThis.navigator?.locks) || undefined
  const result = (locks === undefined ? work(unlocked) : withWebLock(locks, name, options)).finally(() => {
    running.delete(name)
  })
  running.set(name, { subject, result })
  return result
}

export declare namespace withPurchaseLock {
  type Options<T> = {
    /** A call with the same name and another subject does other work. */
    subject: string
    across: boolean
    signal: AbortSignal | undefined
    onWait: () => void | Promise<void>
    work: (lock: LockState) => Promise<T>
  }
}

function waitFor<T>(other: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return within(other, { signal, onEnd: () => new RequestAbortedError({ sent: true }) })
}

async function withWebLock<T>(
  locks: LockManager,
  name: string,
  { signal, onWait, work }: withPurchaseLock.Options<T>,
): Promise<T> {
  let begun = false
  const begin = (lock: LockState) => {
    begun = true
    return work(lock)
  }
  const free = await locks
    .request(name, { ifAvailable: true }, async (lock) =>
      lock === null ? undefined : { result: await begin({ waited: false, locked: true }) },
    )
    .catch(async (error: unknown) => {
      // Pages with an opaque origin, such as sandboxed frames, cannot request locks, so the work runs without one.
      if (begun) throw error
      return { result: await begin(unlocked) }
    })
  if (free !== undefined) return free.result
  await onWait()
  try {
    return await locks.request(name, signal ? { signal } : {}, () => begin({ waited: true, locked: true }))
  } catch (error) {
    throw signal?.aborted && !begun ? new RequestAbortedError({ sent: true }) : error
  }
}
