import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type RunningSandbox, testCards } from '@redeemkit/sandbox'
import { besideSandbox } from '../besideSandbox.ts'
import type { Start } from '../example.ts'

/** The shop's server as a process of its own, to which the service sends its webhooks, and a first order of Alice. */
export const start: Start = ({ say, port = 4245 }) =>
  besideSandbox({ say, sandbox: { webhookSecret } }, async (sandbox) => {
    const folder = await mkdtemp(join(tmpdir(), 'redeemkit-shop-'))
    say('Starting the shop’s server')
    const server = await startMain(sandbox, { port, orders: join(folder, 'orders.jsonl') })
    const close = async () => {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    }
    try {
      await post(
        `${sandbox.url}/sandbox/webhooks`,
        { url: `${server.url}/webhooks` },
        { authorization: sandbox.apiKey },
      )
      say('Alice buys a cap by card, as a page of the shop would')
      const orders = await buyCap(sandbox, server.url, say)
      return {
        url: server.url,
        howTo: `
What the server has in its book, told by a webhook:
${orders.map((order) => `  ${JSON.stringify(order)}`).join('\\n')}

Ask it yourself:
  curl -c cookies -X POST ${server.url}/login/alice
  curl -b cookies ${server.url}/api/redeemkit/getSessionKey
  curl -b cookies ${server.url}/api/redeemkit/createCheckoutJwt -H 'content-type: application/json' -d '{"cartId":"mug"}'
  curl -b cookies ${server.url}/orders

The service's dashboard, where a webhook can be sent again: ${sandbox.url}/dashboard`,
        close,
      }
    } catch (error) {
      await close()
      throw error
    }
  })

/** Of the local service, which is new each time. */
const webhookSecret = 'whsec_of_an_example_on_this_machine'

/** Runs main.ts with its settings in the environment, as a host does. */
async function startMain(
  sandbox: RunningSandbox,
  { port, orders }: { port: number; orders: string },
): Promise<{ url: string; stop: () => Promise<void> }> {
  const main = fileURLToPath(new URL('main.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', main], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: {
      ...process.env,
      REDEEMKIT_URL: sandbox.url,
      REDEEMKIT_MERCHANT_ID: sandbox.merchantId,
      REDEEMKIT_API_KEY: sandbox.apiKey,
      WEBHOOK_SECRET: webhookSecret,
      WALLETS: JSON.stringify({ alice: sandbox.people.alice.address, bob: sandbox.people.bob.address }),
      ORDERS: orders,
      PORT: `${port}`,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })
  const url = await Promise.race([
    once(lines, 'line').then(([line]) => String(line).replace('Listening on ', '')),
    ended.then(() => Promise.reject(new Error('The shop’s server ended before it listened.'))),
  ])
  lines.on('line', (line) => console.log(`  shop: ${line}`))
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Alice's visit: she logs in, her page gets a session key and a price that it cannot change, and pays with a test card. */
async function buyCap(sandbox: RunningSandbox, shop: string, say: (text: string) => void): Promise<object[]> {
  const login = await fetch(`${shop}/login/alice`, { method: 'POST' })
  const cookie = login.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  const page = { cookie }
  const { key } = await get(`${shop}/api/redeemkit/getSessionKey`, page)
  const { checkoutJwtToken } = await post(`${shop}/api/redeemkit/createCheckoutJwt`, { cartId: 'cap' }, page)
  // In a page the service's own card form makes the token, so that no card number comes near the shop.
  const card = { ...testCards.approved, expMonth: '12', expYear: '40' }
  const { token } = await post(`${sandbox.url}/api/tokenize`, card, { authorization: sandbox.apiKey })
  const { paymentId } = await post(
    `${sandbox.url}/api/checkout/card/${sandbox.merchantId}`,
    { subtotal: { cents: 2500 }, jwtToken: checkoutJwtToken, card: { cardToken: token } },
    { 'x-svc-auth-session-key': `${key}` },
  )
  say(`Paid: ${paymentId}. Waiting for the webhook`)
  for (let tries = 0; tries < 100; tries++) {
    const { orders } = await get(`${shop}/orders`, page)
    if (Array.isArray(orders) && orders.length > 0) return orders
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('No webhook came within ten seconds.')
}

const get = (url: string, headers: Record<string, string>) => ask(url, { headers })
const post = (url: string, body: object, headers: Record<string, string>) =>
  ask(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

async function ask(url: string, init: RequestInit): Promise<Record<string, unknown>> {
  const answer = await fetch(url, init)
  if (!answer.ok)
    throw new Error(`${new URL(url).pathname} answered ${answer.status}: ${await answer.text()}`)
  return answer.json()
}
