import { mkdir } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import { serve } from '@hono/node-server'
import { createShop } from './createShop.ts'
import { openOrderBook } from './orderBook.ts'

// Settings come from the environment: npx tsx --env-file=.env main.ts. `npx redeemkit sandbox --env .env` writes the
// settings that begin with REDEEMKIT_. Add WEBHOOK_SECRET and RECEIVER, the address that redeems pay. Optional: PORT
// (3000), ORDERS (a folder), WALLETS ({"alice":"0x…"}).

const folder = process.env.ORDERS ?? 'orders'
// Orders are private to this process's user. Only one process may open the folder.
await mkdir(folder, { recursive: true, mode: 0o700 })
const merchantId = setting('REDEEMKIT_MERCHANT_ID')
const orders = await openOrderBook({
  database: await PGlite.create(folder),
  merchantId,
  accepted: [
    {
      chainId: Number(setting('REDEEMKIT_BASE_CHAIN_ID')),
      creditsContract: setting('REDEEMKIT_BASE_CREDITS_CONTRACT'),
      creditSeed: setting('REDEEMKIT_CREDIT_SEED'),
    },
  ],
  refundFrom: 1_000_000n,
})
const { app, work } = createShop({
  baseUrl: setting('REDEEMKIT_URL'),
  merchantId,
  apiKey: setting('REDEEMKIT_API_KEY'),
  webhookSecret: setting('WEBHOOK_SECRET'),
  wallets: JSON.parse(process.env.WALLETS ?? '{}'),
  receiver: setting('RECEIVER'),
  orders,
  // A real shop calls its warehouse here, with the order's id as idempotency key.
  fulfil: async ({ id, userId, item }) => console.log(`Shipping the ${item} to ${userId}: ${id}`),
  log: (line) => console.log(line),
})
const server = serve(
  { fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.env.PORT ?? 3000) },
  ({ port }) => console.log(`Listening on http://127.0.0.1:${port}`),
)
// Completes work that an earlier process left unfinished, and retries failures.
void work()
const everyMinute = setInterval(work, 60_000)
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    clearInterval(everyMinute)
    // Completes running requests first.
    server.close(() => void work().then(orders.close))
    if ('closeIdleConnections' in server) server.closeIdleConnections()
  })

/** Returns a required setting. Its value is never shown. */
function setting(name: string): string {
  const value = process.env[name]
  if (value !== undefined && value.trim() !== '') return value
  console.error(
    `${name} is missing in the environment. Set it, or run npx redeemkit sandbox --env .env for a local service.`,
  )
  process.exit(2)
}
