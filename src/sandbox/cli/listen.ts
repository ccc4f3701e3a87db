import { Command } from 'commander'
import { oneLine } from '../../redeemkit/core/errors/oneLine.ts'
import { findMerchant, readHttpUrl, sandboxOptions } from './connection/findSandbox.ts'
import { exitCodeHelp } from './exitCodes.ts'
import { type Forwarded, forwardEvents } from './forwardEvents.ts'

export const listen = sandboxOptions(
  new Command('listen')
    .description(
      "Forwards the merchant's webhooks from a running sandbox to your server, until you press Ctrl+C.",
    )
    .requiredOption('--forward-to <url>', 'where to, such as http://localhost:3000/webhooks', readHttpUrl)
    .option('--shuffle <seed>', 'in another order, late, and some of them twice; the same seed does the same')
    .option(
      '--header-prefix <prefix>',
      "beginning of the signature header (default: the sandbox's, else x-svc-)",
    ),
)
  .addHelpText(
    'after',
    `\nA line for each event: time, type, id, and what your server answered. What it does not take with a 2xx comes again.\n\nExample:\n  npx redeemkit listen --forward-to http://localhost:3000/webhooks --api-key sk_sandbox_…\n${exitCodeHelp('ended by Ctrl+C')}`,
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
      onAway: () => say(`${url} does not answer. Waiting for it …`),
      onForwarded: (forwarded) => console.log(forwardedLine(forwarded, { isJson: json, time: new Date() })),
    })
  })

/** One event that was forwarded, as a person or a program reads it. */
export function forwardedLine(forwarded: Forwarded, options: { isJson: boolean; time: Date }): string {
  const { type, id, status, error, isCopy } = forwarded
  const time = options.time.toISOString()
  if (options.isJson) return JSON.stringify({ time, type, id, status, error, copy: isCopy })
  const outcome = status ?? error ?? 'failed'
  // Whatever answers at the address writes type and id.
  return oneLine(`${time.slice(11, 19)}  ${type.padEnd(26)}${id}  ${outcome}${isCopy ? '  (once more)' : ''}`)
}
