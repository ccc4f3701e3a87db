import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type RunningSandbox, testCards } from '@redeemkit/sandbox'
import { createPaymentsClient, redeem } from 'redeemkit'
import { token } from 'redeemkit/evm'
import { createPublicClient, http } from 'viem'
import { baseOf, besideSandbox, type Start } from '../run/besideSandbox.ts'

/** Runs the shop's server in its own process, receives the service's webhooks, and makes two orders as Alice. */
export const start: Start = ({ say, port = 4245 }) =>
  besideSandbox({ say, sandbox: { webhookSecret, enforceCheckoutJwt: true } }, async (sandbox) => {
    const folder = await mkdtemp(join(tmpdir(), 'redeemkit-shop-'))
    say('Starting the shop’s server')
    const server = await startMain(sandbox, { port, orders: join(folder, 'orders') })
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
      const orders = await visit(sandbox, server.url, say)
      return {
        url: server.url,
        howTo: `
Orders that the server fulfilled, each after a webhook:
${orders.map((order) => `  ${JSON.stringify(order)}`).join('\n')}

Try it:
  curl -c cookies -X POST ${server.url}/login/alice
  curl -b cookies ${server.url}/orders -H 'content-type: application/json' -d '{"item":"mug"}'
  curl -b cookies ${server.url}/orders
  curl -b cookies ${server.url}/api/redeemkit/createCheckoutJwt -H 'content-type: application/json' -d '{"orderId":"…"}'

Resend webhooks on the service's dashboard: ${sandbox.url}/dashboard`,
        close,
      }
    } catch (error) {
      await close()
      throw error
    }
  })

/** A new secret for each start, because the local service is new at each start too. */
const webhookSecret = 'whsec_of_an_example_on_this_machine'

/** Runs main.ts with its settings in the environment, as a hosting service does. */
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
      WALLETS: JSON.stringify({ alice: sandbox.accounts.alice.address, bob: sandbox.accounts.bob.address }),
      ORDERS: orders,
      RECEIVER: sandbox.accounts.carol.address,
      REDEEMKIT_CREDIT_SEED: sandbox.creditSeed,
      REDEEMKIT_BASE_CHAIN_ID: `${baseOf(sandbox).chainId}`,
      REDEEMKIT_BASE_CREDITS_CONTRACT: baseOf(sandbox).creditsContract,
      PORT: `${port}`,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })
  const url = await Promise.race([
    once(lines, 'line').then(([line]) => String(line).replace('Listening on ', '')),
    ended.then(() => Promise.reject(new Error('The shop’s server exited before it was listening.'))),
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

/** Lets Alice log in, and buy a cap by card and a mug with credits, with the calls of a shop's page. */
async function visit(
  sandbox: RunningSandbox,
  shop: string,
  say: (text: string) => void,
): Promise<readonly object[]> {
  const login = await fetch(`${shop}/login/alice`, { method: 'POST' })
  const cookie = login.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  const page = { cookie }
  say('Alice buys a cap by card')
  const cap = await post(`${shop}/orders`, { item: 'cap' }, page)
  await payByCard(sandbox, { shop, page, order: cap })
  say('Alice buys a mug with credits')
  const mug = await post(`${shop}/orders`, { item: 'mug' }, page)
  await payWithCredits(sandbox, mug)
  say('Waiting for the webhooks')
  for (let second = 0; second < 20; second += 0.2) {
    const { orders } = await get(`${shop}/orders`, page)
    const own = orders as { state: string }[] // the shop's own response
    if (own.every(({ state }) => state === 'fulfilled')) return own
    await setTimeout(200)
  }
  throw new Error('No webhooks arrived within 20 seconds.')
}

async function payByCard(
  sandbox: RunningSandbox,
  { shop, page, order }: { shop: string; page: { cookie: string }; order: Record<string, unknown> },
): Promise<void> {
  const { key } = await get(`${shop}/api/redeemkit/getSessionKey`, page)
  const pinned = await post(`${shop}/api/redeemkit/createCheckoutJwt`, { orderId: order.id }, page)
  // On a page, the service's card form creates the token, and the shop never sees a card number.
  const card = { ...testCards.approved, expMonth: '12', expYear: '40' }
  const { token } = await post(`${sandbox.url}/api/tokenize`, card, { authorization: sandbox.apiKey })
  await post(
    `${sandbox.url}/api/checkout/card/${sandbox.merchantId}`,
    {
      subtotal: { cents: order.cents, currency: 'USD' },
      jwtToken: pinned.checkoutJwtToken,
      card: { cardToken: token },
    },
    { 'x-svc-auth-session-key': `${key}`, 'x-device-id': 'the browser of Alice' },
  )
}

async function payWithCredits(sandbox: RunningSandbox, order: Record<string, unknown>): Promise<void> {
  const { rpcUrl, pinned } = baseOf(sandbox)
  const { url: baseUrl, merchantId, accounts } = sandbox
  const client = createPaymentsClient({ baseUrl, merchantId, blockchain: 'base', environment: 'sandbox' })
  await redeem(client, {
    signer: accounts.alice.account,
    publicClient: createPublicClient({ transport: http(rpcUrl) }),
    pinned,
    purchaseId: String(order.id),
    subtotal: { cents: Number(order.cents) },
    transactionData: token({ destination: accounts.carol.address }),
  })
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
    throw new Error(`${new URL(url).pathname} returned ${answer.status}: ${await answer.text()}`)
  return answer.json()
}
