import { getRequestListener } from '@hono/node-server'
import express from 'express'
import { calls } from './calls.ts'
import { webhooks } from './webhooks.ts'

export const app = express()
app.all('/api/redeemkit/:call', getRequestListener(calls))
app.post('/webhooks', getRequestListener(webhooks))
app.use(express.json()) // Registered after both handlers, because they read the body themselves.
