import { randomUUID } from 'node:crypto'
import { createPaymentsClient, type EvmBlockchain, isServiceError, verifyAuth } from 'redeemkit'

/** The wallet signed in on this browser. */
export type Member = { wallet: string; blockchain: EvmBlockchain }

/** Signed-in wallets, identified by a cookie. */
export function createSessions(service: { baseUrl: string; merchantId: string; blockchain: EvmBlockchain }) {
  const { blockchain } = service
  const members = new Map<string, Member>()
  const client = createPaymentsClient(service)
  return {
    memberOf: (request: Request): Member | undefined => members.get(sessionIdOf(request)),

    /** Handles `/session`: `GET` returns the signed-in wallet, `POST` takes the credential from the page's sign-in, `DELETE` signs out. */
    answer: async (request: Request): Promise<Response> => {
      if (request.method === 'GET')
        return Response.json(
          { wallet: members.get(sessionIdOf(request))?.wallet ?? null },
          { headers: { 'cache-control': 'no-store' } },
        )
      if (!isOwnPage(request))
        return Response.json({ message: 'Only the shop’s own page may call this.' }, { status: 403 })
      if (request.method === 'DELETE') {
        members.delete(sessionIdOf(request))
        return new Response(null, { status: 204, headers: { 'set-cookie': cookie('', 0) } })
      }
      if (request.method !== 'POST')
        return new Response(null, { status: 405, headers: { allow: 'GET, POST, DELETE' } })
      // #region verify
      const { wallet, signedMessage } = Object(await request.json().catch(() => undefined))
      if (typeof wallet !== 'string' || typeof signedMessage !== 'string')
        return Response.json({ message: 'Pass wallet and signedMessage.' }, { status: 400 })
      try {
        // The page could send anything, so the service verifies the signature.
        await verifyAuth(client, { wallet, blockchain, signedMessage })
      } catch (error) {
        if (isServiceError(error) && error.status === 401)
          return Response.json({ message: 'The sign-in is not valid.' }, { status: 401 })
        throw error
      }
      const id = randomUUID()
      members.set(id, { wallet, blockchain })
      return new Response(null, { status: 204, headers: { 'set-cookie': cookie(id, 86_400) } })
      // #endregion
    },
  }
}

/** Without `Secure`, because this shop runs on localhost. Add it in production, over https. */
function cookie(id: string, maxAge: number): string {
  return `lampfall-session=${id}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAge}`
}

function sessionIdOf(request: Request): string {
  const found = /(?:^|; )lampfall-session=([\w-]+)/.exec(request.headers.get('cookie') ?? '')
  return found?.[1] ?? ''
}

/** Rejects requests from other sites, so that they cannot sign a visitor in or out. */
function isOwnPage(request: Request): boolean {
  const origin = request.headers.get('origin')
  return origin !== null && URL.canParse(origin) && new URL(origin).host === request.headers.get('host')
}
