import { Command } from 'commander'
import * as z from 'zod/mini'
import { callSandbox } from './connection/callSandbox.ts'
import { findMerchant, sandboxOptions } from './connection/findSandbox.ts'
import { exitCodeHelp } from './exitCodes.ts'

export const resend = sandboxOptions(
  new Command('resend')
    .description(
      'Sends a webhook again, with the id that it has, to the address and to everybody who listens.',
    )
    .argument('<id>', 'of the event, as listen and trigger print it'),
)
  .addHelpText('after', exitCodeHelp('sent again, or nobody listens'))
  .action(async (id: string, { json }, command: Command) => {
    const { deliveries } = await callSandbox(await findMerchant(command), {
      path: '/sandbox/webhooks/resend',
      answer: z.object({ deliveries: z.int() }),
      body: { id },
      fixes: {
        404: 'Give the id of an event, as listen and trigger print it; GET /sandbox/webhooks/events lists them.',
      },
    })
    const words =
      deliveries === 0 ? 'Nobody listens: set an address, or run redeemkit listen.' : `${id}  sent again`
    console.log(json ? JSON.stringify({ id, deliveries }) : words)
  })
