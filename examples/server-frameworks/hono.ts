import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { calls } from './calls.ts'
import { webhooks } from './webhooks.ts'

export const app = new Hono()
app.all('/api/redeemkit/*', (context) => calls(context.req.raw))
app.post('/webhooks', bodyLimit({ maxSize: 1_048_576 }), (context) => webhooks(context.req.raw))
