import { Command } from 'commander'
import { callSandbox } from './webhooks/callSandbox.ts'
import { sandboxOptions } from './webhooks/sandboxOptions.ts'

export const resend = sandboxOptions(
  new Command('resend')
    .description(
      'Sends a webhook again, with the id that it has, to the address and to everybody who listens.',
    )
    .argument('<id>', 'of the event, as listen and trigger print it'),
).action(async (id: string, { url, apiKey, json }) => {
  const { deliveries } = await callSandbox<{ deliveries: number }>(
    { url, apiKey },
    { path: 'resend', body: { id } },
  )
  const words =
    deliveries === 0 ? 'Nobody listens: set an address, or run redeemkit listen.' : `${id}  sent again`
  console.log(json ? JSON.stringify({ id, deliveries }) : words)
})
