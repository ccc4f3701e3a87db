import { getRequestListener } from '@hono/node-server'
import type { Connect, Plugin } from 'vite'

/** The shop's own server on the page's address, for Vite's development server and for the built page alike. */
export function besideVite(answer: (request: Request) => Promise<Response> | Response | undefined): Plugin {
  const middleware: Connect.NextHandleFunction = (request, response, next) => {
    // Whether it is the shop's is known by its path alone.
    if (
      !/^\/(shop\.json|session|webhooks|orders|orders\/[^?]*|shop-api\/[^?]*)(\?|$)/.test(request.url ?? '')
    )
      return next()
    const listener = getRequestListener(
      async (asked) => (await answer(asked)) ?? new Response(null, { status: 404 }),
    )
    void listener(request, response)
  }
  return {
    name: 'lampfall-server',
    configureServer: ({ middlewares }) => void middlewares.use(middleware),
    configurePreviewServer: ({ middlewares }) => void middlewares.use(middleware),
  }
}
