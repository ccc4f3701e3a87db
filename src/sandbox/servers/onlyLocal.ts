import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { every } from 'hono/combine'
import { cors } from 'hono/cors'
import { findRefusal, isForwarded } from './findRefusal.ts'

/** Middleware for a local chain's server. Accepts callers on this machine that `findRefusal` allows, and bodies of up to 1 MB. */
export function onlyLocal(allowed: findRefusal.Options): MiddlewareHandler {
  return every(
    async (context, next) => {
      const { host, origin } = context.req.header()
      const refusal = findRefusal({ host, origin }, allowed)
      if (refusal !== undefined) return context.json({ error: refusal }, 403)
      if (isForwarded(context.req.raw.headers))
        return context.json({ error: 'The chain is available on this machine only.' }, 403)
      return next()
    },
    cors({ origin: (origin) => origin }),
    bodyLimit({
      maxSize: 1_000_000,
      // The connection is closed, because the rest of the body is unread.
      onError: (context) => context.json({ error: 'The body exceeds 1 MB.' }, 413, { connection: 'close' }),
    }),
  )
}
