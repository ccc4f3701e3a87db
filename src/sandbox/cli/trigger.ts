import { Command, InvalidArgumentError } from 'commander'
import * as z from 'zod/mini'
import { attempt } from '../../redeemkit/core/attempt.ts'
import { oneLine } from '../../redeemkit/core/errors/oneLine.ts'
import { webhookEventTypes } from '../../redeemkit/schema/webhookEvent.ts'
import { callSandbox } from './connection/callSandbox.ts'
import { findMerchant } from './connection/findSandbox.ts'
import { sandboxOptions } from './options.ts'
import { exitCodeHelp } from './printError.ts'

const types: readonly string[] = Object.values(webhookEventTypes).flat()

export const trigger = sandboxOptions(
  new Command('trigger')
    .description('Sends the merchant a sample webhook with realistic data.')
    .argument('<event>', 'event type, such as payment.settled', readType)
    .option('--merchant <id>', 'fails if the API key belongs to another merchant')
    .option('--data <json>', 'fields that override the sample data', readData),
)
  .addHelpText('after', `\nEvents:\n  ${types.join('\n  ')}\n${exitCodeHelp('sent')}`)
  .action(async (type: string, { merchant, data, json }, command: Command) => {
    const body = { type, ...(data && { data }), ...(merchant && { merchantId: merchant }) }
    const { id } = await callSandbox(await findMerchant(command), {
      path: '/sandbox/webhooks/trigger',
      answer: z.object({ id: z.string() }),
      body,
    })
    console.log(json ? JSON.stringify({ id, type }) : oneLine(`${type}  ${id}`))
  })

function readType(text: string): string {
  if (types.includes(text)) return text
  throw new InvalidArgumentError(`Pass one of:\n  ${types.join('\n  ')}`)
}

function readData(text: string): object {
  const value: unknown = attempt(() => JSON.parse(text))
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new InvalidArgumentError('Pass a JSON object, such as \'{"paymentId":"pay_1"}\'.')
}

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
