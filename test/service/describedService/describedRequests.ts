import type { Context } from 'hono'
import { getAddress, type Hex } from 'viem'
import { Refusal, randomBytes32 } from './redeemAnswers.ts'

/** Identifies the caller by the headers that the description requires. It has no 401, but every described error has name and message. */
export function customers({ headerPrefix, apiKey }: { headerPrefix: string; apiKey: string }) {
  const sessions = new Map<string, Customer>()
  const header = (context: Context, name: string) => context.req.header(`${headerPrefix}auth-${name}`)

  /** Accepts a wallet with its chain, or a session key, wherever the description has "OR" between them. */
  function customerOf(context: Context): Customer {
    const key = header(context, 'session-key')
    const wallet = header(context, 'wallet')
    const blockchain = header(context, 'blockchain')
    const session = key === undefined ? undefined : sessions.get(key)
    if (key !== undefined && session === undefined) throw unauthorized('Invalid session key')
    const isNamed = wallet !== undefined && blockchain !== undefined
    if (!isNamed && session === undefined) throw unauthorized('Missing authentication')
    return isNamed ? { wallet, blockchain } : { ...session }
  }

  return {
    header,
    customerOf,
    /** A session with only a user ID has no wallet. */
    walletOf: (context: Context): Hex => {
      const { wallet } = customerOf(context)
      if (wallet === undefined) throw new Refusal(400, { name: 'BadRequest', message: 'No wallet' })
      return getAddress(wallet)
    },
    checkApiKey: (context: Context): void => {
      if (context.req.header('authorization') !== apiKey) throw unauthorized('Invalid API key')
    },
    sessionKeyFor: (customer: Customer): string => {
      const key = `session.${randomBytes32().slice(2)}`
      sessions.set(key, customer)
      return key
    },
  }
}

export type Customers = ReturnType<typeof customers>

export type Customer = {
  userId?: string | undefined
  wallet?: string | undefined
  blockchain?: string | undefined
}

export function unauthorized(message: string): Refusal {
  return new Refusal(401, { name: 'Unauthorized', message })
}

/** The fields that the description requires in a body. Types with `?` may be absent, and further fields are not forbidden. */
const describedBodies = {
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
