import type { Hono } from 'hono'
import { getAddress, type Hex, verifyMessage } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { type Customers, unauthorized } from './customers.ts'
import { randomBytes32 } from './redeemAnswers.ts'

/** get-message, verify-token and get-session-key of the description. */
export function signInRoutes(
  app: Hono,
  means: { known: Customers; chainId: number; verifyStatus: 200 | 204; now: () => number },
): void {
  const { known, chainId, verifyStatus, now } = means
  const messages = new Map<string, string>()

  app.get('/api/auth', (context) => {
    const address = known.walletOf(context)
    const { host, origin } = new URL(context.req.url)
    // The format of the text is not described.
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

  // Described: 200 "Successful response", without content.
  app.get('/api/auth/verify', async (context) => {
    const { wallet } = known.customerOf(context)
    if (known.header(context, 'session-key') === undefined) {
      const address = known.walletOf(context)
      const message = messages.get(address)
      const signature = known.header(context, 'signed-message')
      if (wallet === undefined || message === undefined || signature === undefined)
        throw unauthorized('Missing authentication')
      // A header is text; only this call checks whether it is a signature.
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
