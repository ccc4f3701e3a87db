import { serve } from '@hono/node-server'
import { createShop } from './createShop.ts'
import { openOrderBook } from './orderBook.ts'

// REDEEMKIT_URL, REDEEMKIT_MERCHANT_ID, REDEEMKIT_API_KEY and WEBHOOK_SECRET come from the environment, and from nowhere else:
// node --env-file=.env main.ts. Optional: PORT (3000), ORDERS (orders.jsonl), WALLETS ({"alice":"0x…"}).

const orders = await openOrderBook(process.env.ORDERS ?? 'orders.jsonl')
const shop = createShop({
  baseUrl: setting('REDEEMKIT_URL'),
  merchantId: setting('REDEEMKIT_MERCHANT_ID'),
  apiKey: setting('REDEEMKIT_API_KEY'),
  webhookSecret: setting('WEBHOOK_SECRET'),
  wallets: JSON.parse(process.env.WALLETS ?? '{}'),
  orders,
  log: (line) => console.log(line),
})
const server = serve(
  { fetch: shop.fetch, hostname: '127.0.0.1', port: Number(process.env.PORT ?? 3000) },
  ({ port }) => console.log(`Listening on http://127.0.0.1:${port}`),
)
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    // What is being answered is answered first.
    server.close(() => void orders.close())
    if ('closeIdleConnections' in server) server.closeIdleConnections()
  })

/** A setting that there has to be. Its value is never shown. */
function setting(name: string): string {
  const value = process.env[name]
  if (value !== undefined && value.trim() !== '') return value
  console.error(
    `${name} is missing in the environment. npx redeemkit sandbox --env .env writes those of a local service.`,
  )
  process.exit(2)
}
