import { Command } from 'commander'
import { oneLine } from '../../redeemkit/core/errors/showValue.ts'
import { defaultHeaderPrefix } from '../../redeemkit/core/headerNames.ts'
import { findMerchant, readHttpUrl, sandboxOptions } from './connection/findSandbox.ts'
import { exitCodeHelp } from './exitCodes.ts'
import { type Forwarded, forwardEvents } from './forwardEvents.ts'

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
