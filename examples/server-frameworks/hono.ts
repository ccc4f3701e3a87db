import { Hono } from 'hono'
import { calls } from './calls.ts'
import { webhooks } from './webhooks.ts'

export const app = new Hono()
app.all('/api/redeemkit/*', (context) => calls(context.req.raw))
app.post('/webhooks', (context) => webhooks(context.req.raw))
