import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import { getRequestListener } from '@hono/node-server'
import { type RunningSandbox, startSandbox } from '@redeemkit/sandbox'
import { build, type Connect, createServer, type InlineConfig, type Plugin, preview } from 'vite'
import { allSpecies } from '../src/catalogue.ts'
import type { ShopConfig } from '../src/config.tsx'
import { answerShop } from './answerShop.ts'
import { openShopOrders } from './shopOrders.ts'

const configFile = fileURLToPath(new URL('../vite.config.ts', import.meta.url))

/** A new secret for each start, because the local service is new at each start too. */
const webhookSecret = 'whsec_of_a_shop_on_this_machine'

export type RunningShop = {
  url: string
  sandbox: RunningSandbox
  config: ShopConfig
  stop: () => Promise<void>
}

/**
 * Starts the payments service with its chain, the shop's contract, and the shop's page and server.
 *
 * @param options.sandbox further options of `startSandbox`
 * @param options.changeConfig changes the page's configuration, for tests with a proxy between page and service
 */
export async function startShop(options: startShop.Options = {}): Promise<RunningShop> {
  const { port = 0, builtPage, onProgress = () => {}, changeConfig = (config) => config } = options
  const sandbox = await startSandbox({
    bridge: false,
    merchantId: 'lampfall',
    plans,
    webhookSecret,
    ...options.sandbox,
    onProgress,
  })
  try {
    const { base } = sandbox.chains
    if (base === undefined) throw new Error('The sandbox does not run Base.')
    onProgress('Opening the shop')
    const keeper = sandbox.accounts.carol.address
    const config = changeConfig({
      merchantId: sandbox.merchantId,
      blockchain: 'base',
      environment: sandbox.environment,
      chainId: base.chainId,
      baseUrl: sandbox.url,
      rpcUrl: base.rpcUrl,
      pinned: base.pinned,
      cabinet: await openCabinet(sandbox, { usdc: base.usdc, keeper }),
      keeper,
      testWalletKey: sandbox.accounts.alice.privateKey,
    })
    // Stored in memory, like the chain. A real shop stores orders in a folder or on a server.
    const orders = await openShopOrders(config, options.database ?? (await PGlite.create()))
    const answer = answerShop({ config, apiKey: sandbox.apiKey, webhookSecret, orders })
    const page = await servePage(answer, { port, builtPage })
    await sendWebhooksTo(`${page.url}/webhooks`, sandbox)
    return {
      url: page.url,
      sandbox,
      config,
      stop: async () => {
        await page.close()
        await sandbox.stop()
        await orders.close()
      },
    }
  } catch (error) {
    await sandbox.stop()
    throw error
  }
}

export declare namespace startShop {
  type Options = {
    port?: number | undefined
    builtPage?: string | undefined
    sandbox?: Omit<startSandbox.Options, 'service'> | undefined
    onProgress?: ((text: string) => void) | undefined
    database?: PGlite | undefined
    changeConfig?: ((config: ShopConfig) => ShopConfig) | undefined
  }
}

/** Registers the webhook address, which is known only after the service has started. */
async function sendWebhooksTo(url: string, sandbox: RunningSandbox): Promise<void> {
  const answer = await fetch(`${sandbox.url}/sandbox/webhooks`, {
    method: 'POST',
    headers: { authorization: sandbox.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ url }),
  })
  if (!answer.ok) throw new Error(`The service refused the webhook address: ${await answer.text()}`)
}

/**
 * Builds pages into a folder for a static server.
 *
 * @param options.pages default: the shop's own. `states.html` shows every state of a payment
 * @param options.root folder of other pages to build next to the shop's
 */
export async function buildPage(
  outDir: string,
  { pages = ['index.html'], root }: { pages?: readonly string[]; root?: string } = {},
): Promise<void> {
  const folder = root ?? fileURLToPath(new URL('../', import.meta.url))
  const input = pages.map((page) => join(folder, page))
  const { NODE_ENV } = process.env
  // The tests need the production build, but test runners set NODE_ENV, which would change the build.
  process.env.NODE_ENV = 'production'
  try {
    await build({
      configFile,
      logLevel: 'error',
      root: folder,
      build: { outDir, emptyOutDir: root === undefined, rolldownOptions: { input } },
    })
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = NODE_ENV
  }
}

async function servePage(
  answer: ReturnType<typeof answerShop>,
  { port, builtPage }: { port: number; builtPage: string | undefined },
): Promise<{ url: string; close: () => Promise<void> }> {
  const listening = { host: '127.0.0.1', port, strictPort: port !== 0 }
  const common: InlineConfig = { configFile, logLevel: 'warn', plugins: [besideVite(answer)] }
  if (builtPage === undefined) {
    const server = await createServer({ ...common, server: listening })
    await server.listen()
    return { url: urlOf(server.httpServer?.address()), close: () => server.close() }
  }
  const server = await preview({ ...common, build: { outDir: builtPage }, preview: listening })
  return { url: urlOf(server.httpServer.address()), close: () => server.close() }
}

function urlOf(address: AddressInfo | string | null | undefined): string {
  if (typeof address !== 'object' || address === null) throw new Error('The page server has no address.')
  return `http://127.0.0.1:${address.port}`
}

/** Serves the shop's API from the page's origin, with Vite's development server and with the built page. */
function besideVite(answer: (request: Request) => Promise<Response> | Response | undefined): Plugin {
  const middleware: Connect.NextHandleFunction = (request, response, next) => {
    // Only the path decides whether a request is for the shop's server.
    if (
      !/^\/(shop\.json|session|webhooks|orders|orders\/[^?]*|subscriptions\/[^?]*|shop-api\/[^?]*)(\?|$)/.test(
        request.url ?? '',
      )
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

/** Deploys the contract that sells the moths, and whitelists it for the merchant. */
async function openCabinet(
  sandbox: RunningSandbox,
  { usdc, keeper }: { usdc: `0x${string}`; keeper: `0x${string}` },
): Promise<`0x${string}`> {
  const artifact = JSON.parse(
    await readFile(new URL('../contracts/MothCabinet.json', import.meta.url), 'utf8'),
  )
  const cabinet = await sandbox.deploy({
    artifact,
    args: [
      usdc,
      keeper,
      allSpecies.map(({ cents }) => BigInt(cents) * 10_000n),
      allSpecies.map(({ edition }) => BigInt(edition)),
    ],
  })
  await sandbox.whitelist({ target: cabinet, selector: 'collect(uint256)' })
  return cabinet
}

const plans = [
  {
    name: 'Window seat',
    code: 'window-seat',
    interval: 'Monthly',
    amount: { cents: 400, currency: 'USD' },
    description: 'The reading room every evening, and the almanac by post.',
  },
  {
    name: 'Lamp Society',
    code: 'lamp-society',
    interval: 'Monthly',
    amount: { cents: 1100, currency: 'USD' },
    description: 'A plate of the month, first look at new species, and a key to the roof.',
  },
] satisfies startSandbox.Options['plans']
