import { createHash } from 'node:crypto'

/**
 * How the n-th event goes out when events are shuffled: after which delay, and a quarter of them twice. Different delays put
 * events in another order. The same seed makes the same plan.
 *
 * @returns a delay in milliseconds for each time that it is sent
 */
export function shufflePlan(seed: string, n: number): readonly number[] {
  const bytes = createHash('sha256').update(`${seed}/${n}`).digest()
  const delay = (at: number) => bytes.readUInt16BE(at) % mostDelayMs
  return bytes.readUInt8(0) < 64 ? [delay(1), delay(3)] : [delay(1)]
}

const mostDelayMs = 3_000
