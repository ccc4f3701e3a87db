import { RequestAbortedError } from '../../api/errors.ts'
import { within } from '../within.ts'

/** How a call came to its turn. */
export type Turn = {
  /** Whether somebody else was at it when this call came. */
  waited: boolean
  /** Whether a Web Lock keeps the other pages of this origin out. */
  locked: boolean
}

const unlocked: Turn = { waited: false, locked: false }

const running = new Map<string, { subject: string; result: Promise<unknown> }>()

/**
 * Does the work of a name once at a time: whoever comes with the same subject while it is being done in this process gets
 * its result. With `across`, other pages of the same origin wait for their turn, by Web Locks where there are any.
 *
 * @param options.work is told its turn
 */
export async function oneAtATime<T>(name: string, options: oneAtATime.Options<T>): Promise<T> {
  const { subject, work } = options
  const other = running.get(name)
  if (other !== undefined) {
    await options.onWait()
    if (other.subject === subject)
      try {
        // What runs under a name and subject gives what work under them gives.
        return await waitFor(other.result as Promise<T>, options.signal)
      } catch (error) {
        // The other call's abort is none of this one's.
        if (!(error instanceof RequestAbortedError) || options.signal?.aborted) throw error
        return oneAtATime(name, options)
      }
    await waitFor(
      other.result.catch(() => undefined),
      options.signal,
    )
    return oneAtATime(name, options)
  }
  // Pages of tests may have null there.
  const locks: LockManager | undefined = (options.across && globalThis.navigator?.locks) || undefined
  const result = (locks === undefined ? work(unlocked) : inTurn(locks, name, options)).finally(() => {
    running.delete(name)
  })
  running.set(name, { subject, result })
  return result
}

export declare namespace oneAtATime {
  type Options<T> = {
    /** What the work is about: another subject under the same name is other work. */
    subject: string
    across: boolean
    signal: AbortSignal | undefined
    /** Told when this call has to wait for another one. */
    onWait: () => void | Promise<void>
    work: (turn: Turn) => Promise<T>
  }
  type ErrorType = RequestAbortedError
}

/** The other call goes on, whatever becomes of this one. */
function waitFor<T>(other: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return within(other, { signal, onEnd: () => new RequestAbortedError({ sent: true }) })
}

async function inTurn<T>(
  locks: LockManager,
  name: string,
  { signal, onWait, work }: oneAtATime.Options<T>,
): Promise<T> {
  let begun = false
  const begin = (turn: Turn) => {
    begun = true
    return work(turn)
  }
  const free = await locks
    .request(name, { ifAvailable: true }, async (lock) =>
      lock === null ? undefined : { result: await begin({ waited: false, locked: true }) },
    )
    .catch(async (error: unknown) => {
      // A page of an opaque origin, such as a sandboxed frame, has locks that refuse: as if there were none.
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
