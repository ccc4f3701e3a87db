import { Command } from 'commander'
import * as z from 'zod/mini'
import { callSandbox } from './connection/callSandbox.ts'
import { findMerchant, sandboxOptions } from './connection/findSandbox.ts'
import { exitCodeHelp } from './exitCodes.ts'

export const resend = sandboxOptions(
  new Command('resend')
    .description('Sends a webhook again, with the same id, to the webhook address and all listeners.')
    .argument('<id>', 'event id, as printed by listen and trigger'),
)
  .addHelpText('after', exitCodeHelp('sent again, or there is no receiver'))
  .action(async (id: string, { json }, command: Command) => {
    const { deliveries } = await callSandbox(await findMerchant(command), {
      path: '/sandbox/webhooks/resend',
      answer: z.object({ deliveries: z.int() }),
      body: { id },
      fixes: {
        404: 'Pass the id of an event, as printed by listen and trigger. GET /sandbox/webhooks/events lists them.',
      },
    })
    const text =
      deliveries === 0 ? 'No receiver: set a webhook address, or run redeemkit listen.' : `${id}  sent again`
    console.log(json ? JSON.stringify({ id, deliveries }) : text)
  })
