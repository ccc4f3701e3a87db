import type { EvmClient } from '../evm/client/evmClient.ts'

/** Resolves after so many milliseconds. */
export type Sleep = (ms: number) => Promise<void>

export const sleepFor: Sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Waits for `work`, but not beyond a time or an abort. The work itself goes on; its late failure is nobody's.
 */
export async function within<T>(
  work: Promise<T>,
  options: {
    ms?: number | undefined
    signal?: AbortSignal | undefined
    /** The error for giving up. */
    onEnd: (why: 'aborted' | 'timeout') => Error
  },
): Promise<T> {
  const { ms, signal, onEnd } = options
  let timer: ReturnType<typeof setTimeout> | undefined
  let stop: (() => void) | undefined
  const end = new Promise<never>((_, reject) => {
    stop = () => reject(onEnd('aborted'))
    if (signal?.aborted) stop()
    signal?.addEventListener('abort', stop)
    // Longer than 2^31 - 1 ms would fire at once.
    if (ms !== undefined && ms < 2 ** 31) timer = setTimeout(() => reject(onEnd('timeout')), Math.max(0, ms))
  })
  try {
    return await Promise.race([end, work])
  } finally {
    clearTimeout(timer)
    if (stop !== undefined) signal?.removeEventListener('abort', stop)
  }
}

/** A client whose every answer comes within a time: a node that takes a question and never answers is a failed one. */
export function boundClient(
  client: EvmClient,
  { timeoutMs = 120_000 }: { timeoutMs?: number | undefined },
): EvmClient {
  // What is no client is refused where it is asked.
  if (typeof client?.request !== 'function') return client
  const onEnd = () => new Error(`no answer within ${timeoutMs} ms`)
  return { request: async (call) => within(Promise.resolve(client.request(call)), { ms: timeoutMs, onEnd }) }
}
