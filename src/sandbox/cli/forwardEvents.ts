import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { type AttemptOutcome, postWebhook } from '../service/webhooks/postWebhook.ts'
import { callSandbox, SandboxNotReachedError, SandboxRefusedError } from './connection/callSandbox.ts'
import type { SandboxAddress } from './connection/findSandbox.ts'

/**
 * Fetches a merchant's events from a running sandbox and posts each to a URL, with the same signature as the sandbox,
 * until the signal aborts. Reconnects after the sandbox was unavailable, and continues where it stopped.
 */
export async function forwardEvents(options: forwardEvents.Options): Promise<void> {
  const { sandbox, forwardTo, signal, onReady, onAway, pauseMs = 300 } = options
  const register = () =>
    callSandbox(sandbox, {
      path: '/sandbox/webhooks/listen',
      answer: z.object({ listenerId: z.string(), secrets: z.array(z.string()) }),
      body: { name: forwardTo },
    })
  let { listenerId, secrets } = await register()
  onReady?.({ secret: secrets[0] ?? '' })
  let isAway = false
  let count = 0
  const open = new Set<Promise<void>>()
  while (!signal.aborted) {
    try {
      const taken = await callSandbox(sandbox, {
        path: '/sandbox/webhooks/take',
        answer: takenEvents,
        body: { listenerId },
      })
      if (isAway) onReady?.({ secret: taken.secrets[0] ?? '' })
      isAway = false
      for (const event of taken.events) {
        if (signal.aborted) break
        const sent = send(options, { ...event, listenerId, secrets: taken.secrets, n: count++ })
        open.add(sent)
        // The promise of `finally` also rejects; the rejection is handled below.
        sent.finally(() => open.delete(sent)).catch(() => {})
        // In order, unless shuffled.
        if (options.shuffle === undefined) await sent
      }
      if (taken.events.length === 0) await sleep(pauseMs, undefined, { signal })
    } catch (error) {
      if (signal.aborted) break
      if (error instanceof SandboxRefusedError && error.status === 404) {
        // The sandbox has another database now.
        ;({ listenerId, secrets } = await register())
        continue
      }
      if (!(error instanceof SandboxNotReachedError)) throw error
      if (!isAway) onAway?.()
      isAway = true
      // An abort ends the sleep; the loop checks the signal.
      await sleep(4 * pauseMs, undefined, { signal }).catch(() => {})
    }
  }
  await Promise.allSettled(open)
  // If the sandbox is gone, there is nothing to clean up.
  await callSandbox(sandbox, { path: '/sandbox/webhooks/unlisten', body: { listenerId } }).catch(() => {})
}

export declare namespace forwardEvents {
  type Options = {
    sandbox: SandboxAddress
    forwardTo: string
    headerPrefix?: string | undefined
    /** Seed for random order, delays and duplicates. Default: in order. */
    shuffle?: string | undefined
    signal: AbortSignal
    /** Called when listening. `secret` verifies the signatures. */
    onReady?: ((now: { secret: string }) => void) | undefined
    /** Called when the sandbox does not answer. */
    onAway?: (() => void) | undefined
    onForwarded: (forwarded: Forwarded) => void
    pauseMs?: number | undefined
  }
}

export type Forwarded = AttemptOutcome & { id: string; type: string; isCopy: boolean }

const takenEvents = z.object({
  // The event is posted unchanged.
  events: z.array(
    z.object({
      deliveryId: z.string(),
      attempt: z.number(),
      event: z.looseObject({ id: z.string(), type: z.string() }),
    }),
  ),
  secrets: z.array(z.string()),
})
type TakenEvent = z.infer<typeof takenEvents>['events'][number]

async function send(
  options: forwardEvents.Options,
  taken: TakenEvent & { listenerId: string; secrets: readonly string[]; n: number },
): Promise<void> {
  const { sandbox, forwardTo, headerPrefix, shuffle, signal, onForwarded } = options
  const { deliveryId, attempt, event, listenerId, secrets, n } = taken
  const delays = shuffle === undefined ? [0] : shufflePlan(shuffle, n)
  const outcomes = await Promise.all(
    delays.map(async (delay, index) => {
      if (delay > 0) await sleep(delay, undefined, { signal })
      const seconds = Math.floor(Date.now() / 1000)
      const outcome = await postWebhook({ url: forwardTo, event, secrets, seconds, headerPrefix, signal })
      if (!signal.aborted) onForwarded({ id: event.id, type: event.type, isCopy: index > 0, ...outcome })
      return outcome
    }),
  )
  const [first = {}] = outcomes
  // Aborted: unregistering the listener also drops its deliveries.
  if (signal.aborted) return
  await callSandbox(sandbox, {
    path: '/sandbox/webhooks/done',
    body: { listenerId, deliveryId, attempt, ...first },
  })
}

/**
 * Returns the delays with which the n-th event is sent when events are shuffled. A quarter of the events are sent twice.
 * Different delays change the order. The same seed gives the same plan.
 *
 * @returns the delay in milliseconds of each delivery
 */
export function shufflePlan(seed: string, n: number): readonly number[] {
  const bytes = createHash('sha256').update(`${seed}/${n}`).digest()
  const delay = (at: number) => bytes.readUInt16BE(at) % mostDelayMs
  return bytes.readUInt8(0) < 64 ? [delay(1), delay(3)] : [delay(1)]
}

const mostDelayMs = 3_000
