import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { parse } from 'hono/utils/cookie'
import { merchantServer } from './index.ts'
import type { Order, OrderBook } from './orderBook.ts'

/** Prices in cents. */
const prices: Readonly<Record<string, number>> = { cap: 2500, mug: 1200 }

/**
 * Creates the shop's server: its login, its orders, the calls that its pages may make, and the webhooks.
 *
 * @param options.wallets users who may log in, with the wallets that receive their purchases. A real shop has passwords or passkeys
 * @param options.receiver address that a redeem pays, the same on every accepted chain
 * @param options.fulfil ships an order; called again for the same order after a crash
 * @param options.log called with one line per event
 */
export function createShop(options: {
  baseUrl: string
  merchantId: string
  apiKey: string
  webhookSecret: string
  wallets: Readonly<Record<string, string>>
  receiver: string
  orders: OrderBook
  fulfil: (order: Order) => Promise<void>
  log: (line: string) => void
}): { app: Hono; work: () => Promise<void> } {
  const { wallets, receiver, orders, log, ...service } = options
  const sessions = new Map<string, string>()
  const userOf = ({ session = '' }: Record<string, string>) => sessions.get(session)
  const { calls, webhooks, work } = merchantServer({
    ...service,
    orders,
    userOf: async (request) => {
      const id = userOf(parse(request.headers.get('cookie') ?? ''))
      return id === undefined ? undefined : { id }
    },
    walletOf: async (userId) => {
      const wallet = wallets[userId]
      if (wallet === undefined) throw new Error(`${userId} has no wallet.`)
      return wallet
    },
    onError: (error) =>
      log(`A fulfilment or a refund failed: ${error instanceof Error ? error.name : error}`),
  })

  const app = new Hono()
  app.onError((error, context) => {
    log(`${context.req.method} ${context.req.path} failed: ${error.name}`)
    return context.body(null, 500)
  })
  app.post('/login/:user', (context) => {
    const { user } = context.req.param()
    if (!Object.hasOwn(wallets, user)) return context.json({ error: `There is no ${user}.` }, 401)
    const session = randomUUID()
    sessions.set(session, user)
    const isHttps = new URL(context.req.url).protocol === 'https:'
    setCookie(context, 'session', session, { httpOnly: true, sameSite: 'Strict', path: '/', secure: isHttps })
    log(`${user} logged in`)
    return context.json({ user })
  })
  app.post('/logout', (context) => {
    sessions.delete(getCookie(context, 'session') ?? '')
    deleteCookie(context, 'session')
    return context.body(null, 204)
  })
  app.all('/api/redeemkit/*', (context) => calls(context.req.raw))
  // Anyone can send requests to this path.
  const limit = bodyLimit({ maxSize: 1_048_576, onError: (context) => context.body(null, 413) })
  app.post('/webhooks', limit, async (context) => {
    const answer = await webhooks(context.req.raw)
    if (answer.status === 400) log('Refused a webhook: its signature is invalid or too old')
    return answer
  })
  app.post('/orders', async (context) => {
    const userId = userOf(getCookie(context))
    if (userId === undefined) return context.json({ error: 'Log in first.' }, 401)
    const { item } = Object(await context.req.json().catch(() => undefined))
    const cents = typeof item === 'string' && Object.hasOwn(prices, item) ? prices[item] : undefined
    if (cents === undefined) return context.json({ error: `There is no ${item}.` }, 404)
    const amount = BigInt(cents) * 10_000n
    // Paid with credits, or by card, wire or Pix.
    const redeem = { kind: 'token', receiver }
    const order = await orders.draw({ userId, item, amount, redeem, settlementType: 'USDC' })
    log(`${userId} ordered the ${item}: ${order.id}`)
    return context.json(shown(order), 201)
  })
  app.get('/orders', async (context) => {
    const userId = userOf(getCookie(context))
    if (userId === undefined) return context.json({ error: 'Log in first.' }, 401)
    return context.json({ orders: (await orders.of(userId)).map(shown) })
  })
  return { app, work }
}

/**
 * Returns the fields that a page needs to pay for an order: `purchaseId`, `subtotal` and `destination` of a redeem, and the order's state.
 */
function shown({ id, item, amount, redeem, state }: Order) {
  return { id, item, cents: Number(amount / 10_000n), receiver: redeem?.receiver, state }
}
