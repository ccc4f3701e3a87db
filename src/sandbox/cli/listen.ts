import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Command } from 'commander'
import * as z from 'zod/mini'
import { oneLine } from '../../redeemkit/core/errors/oneLine.ts'
import { defaultHeaderPrefix } from '../../redeemkit/core/headerNames.ts'
import { type AttemptOutcome, postWebhook } from '../service/webhooks/postWebhook.ts'
import { callSandbox, SandboxNotReachedError, SandboxRefusedError } from './connection/callSandbox.ts'
import { findMerchant, type SandboxAddress } from './connection/findSandbox.ts'
import { readHttpUrl, sandboxOptions } from './options.ts'
import { exitCodeHelp } from './printError.ts'

export const listen = sandboxOptions(
  new Command('listen')
    .description(
      "Forwards the merchant's webhooks from a running sandbox to your server until you press Ctrl+C.",
    )
    .requiredOption(
      '--forward-to <url>',
      'URL of your server, such as http://localhost:3000/webhooks',
      readHttpUrl,
    )
    .option(
      '--shuffle <seed>',
      'send events out of order, late, and some twice; reproducible with the same seed',
    )
    .option(
      '--header-prefix <prefix>',
      `prefix of the signature header (default: the sandbox's, or ${defaultHeaderPrefix})`,
    ),
)
  .addHelpText(
    'after',
    `\nPrints a line per event: time, type, id, and the status that your server returned. Events without a 2xx status are sent again.\n\nExample:\n  npx redeemkit listen --forward-to http://localhost:3000/webhooks --api-key sk_sandbox_…\n${exitCodeHelp('stopped by Ctrl+C')}`,
  )
  .action(async (options, command: Command) => {
    const { forwardTo, shuffle, json = false } = options
    const merchant = await findMerchant(command)
    const headerPrefix = options.headerPrefix ?? merchant.headerPrefix
    const { url } = merchant
    const stop = new AbortController()
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort())
    const say = (text: string) => console.error(text)
    await forwardEvents({
      sandbox: merchant,
      forwardTo,
      shuffle,
      headerPrefix,
      signal: stop.signal,
      onReady: ({ secret }) => say(oneLine(`Listening at ${url}. The webhook secret is ${secret}`)),
      onAway: () => say(`${url} does not respond. Reconnecting…`),
      onForwarded: (forwarded) => console.log(forwardedLine(forwarded, { isJson: json, time: new Date() })),
    })
  })

export function forwardedLine(forwarded: Forwarded, options: { isJson: boolean; time: Date }): string {
  const { type, id, status, error, isCopy } = forwarded
  const time = options.time.toISOString()
  if (options.isJson) return JSON.stringify({ time, type, id, status, error, copy: isCopy })
  const outcome = status ?? error ?? 'failed'
  // The event's type and id are untrusted text.
  return oneLine(`${time.slice(11, 19)}  ${type.padEnd(26)}${id}  ${outcome}${isCopy ? '  (duplicate)' : ''}`)
}

/** Posts each event with the sandbox's signature. If the sandbox is unavailable, reconnects and continues after the last event. */
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
        // The promise that `finally` returns rejects too, but the rejection of `sent` is handled below.
        sent.finally(() => open.delete(sent)).catch(() => {})
        // Without `shuffle`, each event waits for the previous one.
        if (options.shuffle === undefined) await sent
      }
      if (taken.events.length === 0) await sleep(pauseMs, undefined, { signal })
    } catch (error) {
      if (signal.aborted) break
      if (error instanceof SandboxRefusedError && error.status === 404) {
        // The sandbox has a new database, so the listener is registered again.
        ;({ listenerId, secrets } = await register())
        continue
      }
      if (!(error instanceof SandboxNotReachedError)) throw error
      if (!isAway) onAway?.()
      isAway = true
      // An abort interrupts the sleep; the loop then checks the signal.
      await sleep(4 * pauseMs, undefined, { signal }).catch(() => {})
    }
  }
  await Promise.allSettled(open)
  // If the sandbox has stopped, there is no listener to remove.
  await callSandbox(sandbox, { path: '/sandbox/webhooks/unlisten', body: { listenerId } }).catch(() => {})
}

export declare namespace forwardEvents {
  type Options = {
    sandbox: SandboxAddress
    forwardTo: string
    headerPrefix?: string | undefined
    /** Seed for random order, delays and duplicates. Default: events are sent in order. */
    shuffle?: string | undefined
    signal: AbortSignal
    /** Called when the sandbox has registered the listener. `secret` verifies the signatures. */
    onReady?: ((now: { secret: string }) => void) | undefined
    /** Called when the sandbox does not respond. */
    onAway?: (() => void) | undefined
    onForwarded: (forwarded: Forwarded) => void
    pauseMs?: number | undefined
  }
}

export type Forwarded = AttemptOutcome & { id: string; type: string; isCopy: boolean }

const takenEvents = z.object({
  // The body is posted unchanged, so that its signature stays valid.
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
  // After an abort, the result is not reported, because removing the listener also drops its deliveries.
  if (signal.aborted) return
  await callSandbox(sandbox, {
    path: '/sandbox/webhooks/done',
    body: { listenerId, deliveryId, attempt, ...first },
  })
}

/** Delays in milliseconds for sending the n-th event. A quarter of the events are sent twice. The same seed gives the same plan. */
export function shufflePlan(seed: string, n: number): readonly number[] {
  const bytes = createHash('sha256').update(`${seed}/${n}`).digest()
  const delay = (at: number) => bytes.readUInt16BE(at) % mostDelayMs
  return bytes.readUInt8(0) < 64 ? [delay(1), delay(3)] : [delay(1)]
}

const mostDelayMs = 3_000
