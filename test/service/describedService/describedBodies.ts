import type { Context } from 'hono'
import { Refusal } from './redeemAnswers.ts'

/** The fields that the description requires in a body. Types with `?` may be absent, and further fields are not forbidden. */
export const describedBodies = {
  creditsAuthMsg: {
    merchantId: 'string',
    subtotal: 'subtotal',
    transactionData: 'object',
    usdcAmount: 'cents?',
  },
  sendGaslessTx: {
    merchantId: 'string',
    subtotal: 'subtotal',
    transactionData: 'object',
    usdcAmount: 'cents?',
    signedMessages: 'object',
    chargebackProtectionData: 'object?',
    validBefore: 'string',
    nonce: 'string',
    creditsRawAmount: 'number',
  },
  usdcAuthorization: { amount: 'cents', paymentId: 'string?' },
  wireToken: { subtotal: 'subtotal', merchantId: 'string', token: 'string', webhookInfo: 'object?' },
  pix: { subtotal: 'subtotal', email: 'string', merchantId: 'string', webhookInfo: 'object?' },
  mobileApp: { subtotal: 'subtotal', email: 'string?', webhookInfo: 'object?' },
  card: { subtotal: 'subtotal', card: 'object', webhookInfo: 'object?' },
  void: { paymentId: 'string' },
} satisfies Record<string, Record<string, string>>

// biome-ignore lint/suspicious/noExplicitAny: the routes read only fields that were just validated
export async function bodyOf(context: Context, name: keyof typeof describedBodies): Promise<any> {
  const body: unknown = await context.req.json().catch(() => undefined)
  checkBody(name, body)
  return body
}

/** The description does not specify the response. This one is like that of tsoa, which generates such descriptions. */
function checkBody(name: keyof typeof describedBodies, body: unknown): void {
  const record = Object(body)
  const faults = Object.entries<string>(describedBodies[name]).filter(
    ([field, type]) => !fits(record[field], type),
  )
  if (faults.length > 0)
    throw new Refusal(422, {
      message: 'Validation Failed',
      details: Object.fromEntries(
        faults.map(([field, type]) => [
          `body.${field}`,
          { message: `expected ${type}`, value: record[field] },
        ]),
      ),
    })
}

function fits(value: unknown, type: string): boolean {
  if (type.endsWith('?')) return value === undefined || fits(value, type.slice(0, -1))
  const { cents, address, amount } = Object(value)
  if (type === 'cents') return Number.isInteger(cents)
  if (type === 'subtotal')
    return Number.isInteger(cents) || (typeof address === 'string' && /^(string|number)$/.test(typeof amount))
  return typeof value === type && value !== null
}
