import { randomUUID } from 'node:crypto'
import { createPaymentsClient, type EvmBlockchain, isServiceError, verifyAuth } from 'redeemkit'

/** Who is signed in, in this browser. */
export type Member = { wallet: string; blockchain: EvmBlockchain }

/** The shop's own sessions: a wallet that has signed in, and a cookie that stands for it. */
export function createSessions(service: { baseUrl: string; merchantId: string; blockchain: EvmBlockchain }) {
  const { blockchain } = service
  const members = new Map<string, Member>()
  const client = createPaymentsClient(service)
  return {
    memberOf: (request: Request): Member | undefined => members.get(sessionIdOf(request)),

    /** `GET /session` says who is signed in; `POST` takes what the page got from its sign-in; `DELETE` ends it. */
    answer: async (request: Request): Promise<Response> => {
      if (request.method === 'GET')
        return Response.json(
          { wallet: members.get(sessionIdOf(request))?.wallet ?? null },
          { headers: { 'cache-control': 'no-store' } },
        )
      if (!isOwnPage(request))
        return Response.json({ message: 'This is for the shop’s own page.' }, { status: 403 })
      if (request.method === 'DELETE') {
        members.delete(sessionIdOf(request))
        return new Response(null, { status: 204, headers: { 'set-cookie': cookie('', 0) } })
      }
      if (request.method !== 'POST')
        return new Response(null, { status: 405, headers: { allow: 'GET, POST, DELETE' } })
      const { wallet, signedMessage } = Object(await request.json().catch(() => undefined))
      if (typeof wallet !== 'string' || typeof signedMessage !== 'string')
        return Response.json({ message: 'Give wallet and signedMessage.' }, { status: 400 })
      try {
        // The service knows whether the wallet has signed this; a page could say anything.
        await verifyAuth(client, { wallet, blockchain, signedMessage })
      } catch (error) {
        if (isServiceError(error) && error.status === 401)
          return Response.json({ message: 'The sign-in is not valid.' }, { status: 401 })
        throw error
      }
      const id = randomUUID()
      members.set(id, { wallet, blockchain })
      return new Response(null, { status: 204, headers: { 'set-cookie': cookie(id, 86_400) } })
    },
  }
}

/** Not `Secure`: this shop is served on this machine. A real one says so, and is served over https. */
function cookie(id: string, maxAge: number): string {
  return `lampfall-session=${id}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAge}`
}

function sessionIdOf(request: Request): string {
  const found = /(?:^|; )lampfall-session=([\w-]+)/.exec(request.headers.get('cookie') ?? '')
  return found?.[1] ?? ''
}

/** Pages of other sites cannot sign anybody in or out. */
function isOwnPage(request: Request): boolean {
  const origin = request.headers.get('origin')
  return origin !== null && URL.canParse(origin) && new URL(origin).host === request.headers.get('host')
}
