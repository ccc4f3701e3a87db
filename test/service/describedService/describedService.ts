import { Hono } from 'hono'
import { getAddress, type Hex, verifyMessage } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { checkoutRoutes } from './checkoutRoutes.ts'
import { bodyOf, type Customers, customers, unauthorized } from './describedRequests.ts'
import { Refusal, randomBytes32, redeemAnswers } from './redeemAnswers.ts'

/**
 * Follows the public OpenAPI description (https://docs.coinflow.cash/api-reference) on the Base test network. Stores everything in memory.
 */
export function describedService(options: describedService.Options = {}) {
  const {
    headerPrefix = 'x-svc-',
    apiKey = 'api-key',
    merchantId = 'shop',
    mobileApp = 'mobileapp',
  } = options
  const { verifyStatus = 200, now = () => Date.now() } = options
  const domain = {
    name: 'Credits of a service',
    version: '1',
    chainId: 84532,
    verifyingContract: getAddress(`0x${'c4'.repeat(20)}`),
    ...options.domain,
  }
  const redeem = redeemAnswers({ creditSeed: merchantId, ...options, domain })
  const known = customers({ headerPrefix, apiKey })
  const requests: Request[] = []
  const others: { path: string; answer: () => Response }[] = []

  const app = new Hono()
  app.onError((error) => {
    if (error instanceof Refusal) return Response.json(error.body, { status: error.status })
    // An ApiError may include its stack.
    return Response.json({ name: error.name, message: error.message, stack: error.stack }, { status: 500 })
  })
  app.use(async (context, next): Promise<Response | undefined> => {
    const { method, path } = context.req
    const text = await context.req.text()
    const body = text === '' ? undefined : JSON.parse(text)
    requests.push({ method, path, headers: context.req.header(), body })
    const other = others.findIndex((one) => one.path === path)
    if (other >= 0) return others.splice(other, 1)[0]?.answer()
    await next()
    return undefined
  })

  signInRoutes(app, { known, chainId: domain.chainId, verifyStatus, now })
  checkoutRoutes(app, { known, receiver: domain.verifyingContract, mobileApp, now })

  app.post('/api/redeem/evm/creditsAuthMsg', async (context) => {
    const wallet = known.walletOf(context)
    return Response.json(redeem.creditsAuthMsg(wallet, await bodyOf(context, 'creditsAuthMsg')))
  })

  app.post('/api/redeem/evm/sendGaslessTx', async (context) => {
    const wallet = known.walletOf(context)
    return Response.json(await redeem.sendGaslessTx(wallet, await bodyOf(context, 'sendGaslessTx')))
  })

  app.get('/api/utils/contract-address', (context) => {
    if (context.req.query('blockchain') !== 'base')
      throw new Refusal(404, { name: 'NotFound', message: 'No contract' })
    return Response.json({ address: domain.verifyingContract })
  })

  app.get('/api/customer/balances/:seed', (context) => {
    known.customerOf(context)
    const credits = { cents: Math.floor(Math.min(redeem.state.credits, 1e12) / 10_000) }
    return Response.json({ credits, usdc: { cents: 250 } })
  })

  app.get('/api/subscription/:merchantId/plans', (context) => {
    known.customerOf(context)
    // Only the required fields.
    const amount = { cents: 999, currency: 'USD' }
    return Response.json([{ id: '1', name: 'Gold', code: 'gold', interval: 'Monthly', amount, active: true }])
  })

  return {
    app,
    redeem,
    domain,
    requests,
    sessionKeyFor: known.sessionKeyFor,
    /** Applies only to the next request to the path. */
    answerNext: (path: string, answer: () => Response) => {
      others.push({ path, answer })
    },
  }
}

export declare namespace describedService {
  type Options = Partial<Omit<redeemAnswers.Options, 'domain'>> & {
    domain?: Partial<redeemAnswers.Options['domain']>
    headerPrefix?: string
    apiKey?: string
    merchantId?: string
    /** Name of the app in the path of the mobile checkout and in its response. */
    mobileApp?: string
    verifyStatus?: 200 | 204
  }
}

type Request = { method: string; path: string; headers: Record<string, string>; body: unknown }

function signInRoutes(
  app: Hono,
  means: { known: Customers; chainId: number; verifyStatus: 200 | 204; now: () => number },
): void {
  const { known, chainId, verifyStatus, now } = means
  const messages = new Map<string, string>()

  app.get('/api/auth', (context) => {
    const address = known.walletOf(context)
    const { host, origin } = new URL(context.req.url)
    // The description does not specify the format of the text.
    const message = createSiweMessage({
      address: getAddress(address),
      chainId,
      domain: host,
      uri: origin,
      nonce: randomBytes32().slice(2, 18),
      version: '1',
      issuedAt: new Date(now()),
      expirationTime: new Date(now() + 86_400_000),
      statement: 'Sign in.',
    })
    messages.set(address, message)
    return Response.json({ message })
  })

  // The description says: 200 "Successful response", without content.
  app.get('/api/auth/verify', async (context) => {
    const { wallet } = known.customerOf(context)
    if (known.header(context, 'session-key') === undefined) {
      const address = known.walletOf(context)
      const message = messages.get(address)
      const signature = known.header(context, 'signed-message')
      if (wallet === undefined || message === undefined || signature === undefined)
        throw unauthorized('Missing authentication')
      // A header is a string; only this call checks whether it is a signature.
      if (!(await verifyMessage({ address, message, signature: signature as Hex })))
        throw unauthorized('Invalid signature')
    }
    return new Response(verifyStatus === 204 ? null : '', { status: verifyStatus })
  })

  app.get('/api/auth/session-key', (context) => {
    known.checkApiKey(context)
    const userId = known.header(context, 'user-id')
    const wallet = known.header(context, 'wallet')
    const blockchain = known.header(context, 'blockchain')
    return Response.json({ key: known.sessionKeyFor({ userId, wallet, blockchain }) })
  })
}
