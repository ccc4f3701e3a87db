import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { parse } from 'hono/utils/cookie'
import { merchantServer } from './index.ts'
import type { OrderBook } from './orderBook.ts'

/** What the shop sells, in cents. */
const prices: Readonly<Record<string, number>> = { cap: 2500, mug: 1200 }

/**
 * The shop's server: its own login, the calls that its pages may make, the webhooks, and what was paid.
 *
 * @param options.wallets who may log in, and where what they buy goes. A shop has passwords or passkeys here
 * @param options.log told of what happens, a line each
 */
export function createShop(options: {
  baseUrl: string
  merchantId: string
  apiKey: string
  webhookSecret: string
  wallets: Readonly<Record<string, string>>
  orders: OrderBook
  log: (line: string) => void
}): Hono {
  const { wallets, orders, log, ...service } = options
  const sessions = new Map<string, string>()
  const userOf = ({ session = '' }: Record<string, string>) => sessions.get(session)
  const { calls, webhooks } = merchantServer({
    ...service,
    userOf: async (request) => {
      const id = userOf(parse(request.headers.get('cookie') ?? ''))
      return id === undefined ? undefined : { id }
    },
    walletOf: async (userId) => {
      const wallet = wallets[userId]
      if (wallet === undefined) throw new Error(`${userId} has no wallet.`)
      return wallet
    },
    priceOf: async (cartId) =>
      typeof cartId === 'string' && Object.hasOwn(prices, cartId) ? prices[cartId] : undefined,
    onPaid: async (eventId, { paymentId, webhookInfo }) => {
      // As this server pinned it in the checkout JWT. A payment without one is none of a cart.
      const { userId, cartId } = Object(webhookInfo)
      if (typeof userId !== 'string' || typeof cartId !== 'string')
        return log(`${paymentId} is paid, and is for no cart`)
      const isNew = await orders.add({ eventId, paymentId, userId, cartId })
      log(isNew ? `${userId} paid for the ${cartId}: ${paymentId}` : `${paymentId} was told before`)
    },
  })

  const shop = new Hono()
  shop.onError((error, context) => {
    log(`${context.req.method} ${context.req.path} failed: ${error.name}`)
    return context.body(null, 500)
  })
  shop.post('/login/:user', (context) => {
    const { user } = context.req.param()
    if (!Object.hasOwn(wallets, user)) return context.json({ error: `There is no ${user}.` }, 401)
    const session = randomUUID()
    sessions.set(session, user)
    const isHttps = new URL(context.req.url).protocol === 'https:'
    setCookie(context, 'session', session, { httpOnly: true, sameSite: 'Strict', path: '/', secure: isHttps })
    log(`${user} logged in`)
    return context.json({ user })
  })
  shop.post('/logout', (context) => {
    sessions.delete(getCookie(context, 'session') ?? '')
    deleteCookie(context, 'session')
    return context.body(null, 204)
  })
  shop.all('/api/redeemkit/*', (context) => calls(context.req.raw))
  shop.post('/webhooks', async (context) => {
    const answer = await webhooks(context.req.raw)
    if (answer.status === 400) log('A webhook was refused: it is not the service’s, or it is an old one')
    return answer
  })
  shop.get('/orders', (context) => {
    const user = userOf(getCookie(context))
    if (user === undefined) return context.json({ error: 'Nobody is logged in.' }, 401)
    return context.json({ orders: orders.of(user) })
  })
  return shop
}
