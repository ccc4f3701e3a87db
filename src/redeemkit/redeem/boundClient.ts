import type { EvmClient } from '../evm/client.ts'
import { within } from './within.ts'

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
