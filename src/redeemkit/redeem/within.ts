import { RequestAbortedError } from '../api/errors.ts'
import { watchSignals } from '../api/send.ts'
import type { EvmClient } from '../evm/client.ts'

/** Resolves after a number of milliseconds. */
export type Sleep = (ms: number) => Promise<void>

export const sleepFor: Sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Waits for work, at most `ms` milliseconds or until an abort. The work is not cancelled, and its late errors are ignored. By default, the
 * error of an abort says that nothing was sent.
 */
export async function within<T>(
  work: Promise<T>,
  {
    ms,
    signal,
    onEnd = (why) =>
      why === 'aborted' ? new RequestAbortedError({ sent: false }) : new Error(`no response within ${ms} ms`),
  }: {
    ms?: number | undefined
    signal?: AbortSignal | undefined
    onEnd?: (why: 'aborted' | 'timeout') => Error
  },
): Promise<T> {
  const watch = watchSignals([signal], () => onEnd('aborted'))
  const late = () => watch.stop(onEnd('timeout'))
  // Above 2^31 - 1 ms, setTimeout would fire immediately.
  const timer = ms !== undefined && ms < 2 ** 31 ? setTimeout(late, Math.max(0, ms)) : undefined
  try {
    return await watch.race(work)
  } finally {
    clearTimeout(timer)
    watch.end()
  }
}

export function boundClient(client: EvmClient, options: { timeoutMs?: number | undefined }): EvmClient
export function boundClient(
  client: EvmClient | undefined,
  options: { timeoutMs?: number | undefined },
): EvmClient | undefined
export function boundClient(
  client: EvmClient | undefined,
  { timeoutMs = 120_000 }: { timeoutMs?: number | undefined },
): EvmClient | undefined {
  // An invalid client is rejected later, where it is used.
  if (typeof client?.request !== 'function') return client
  return { request: async (call) => within(Promise.resolve(client.request(call)), { ms: timeoutMs }) }
}
