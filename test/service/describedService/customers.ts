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
