import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import type { RedeemPins } from 'redeemkit'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { build, type Rolldown } from 'vite'
import type { RunningSandbox } from '../../../src/sandbox/index.ts'
import { createTestWallet, walletScript } from '../../browser/testWallet.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

export type BuiltPage = {
  entry: string
  files: ReadonlyMap<string, string>
}

/** `page` is the name of a file in the bench folder. */
export async function buildPage(page: string): Promise<BuiltPage> {
  const built = await build({
    configFile: false,
    envFile: false,
    root,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: {
      alias: [
        { find: /^redeemkit$/, replacement: `${root}src/redeemkit/index.ts` },
        { find: /^redeemkit\/(.+)$/, replacement: `${root}src/redeemkit/$1/index.ts` },
      ],
      // Other projects' pages share packages with this installation, as in an installed dApp.
      dedupe: ['react', 'react-dom', 'viem', 'wagmi', '@tanstack/react-query'],
    },
    build: {
      write: false,
      rolldownOptions: { input: fileURLToPath(new URL(`../${page}`, import.meta.url)) },
    },
  })
  // A single output, because the configuration has neither several outputs nor a watcher.
  const { output } = built as Rolldown.RolldownOutput
  const chunks = output.filter((file) => file.type === 'chunk')
  const entry = chunks.find((chunk) => chunk.isEntry)
  if (entry === undefined) throw new Error(`Vite built no script for ${page}.`)
  return { entry: entry.fileName, files: new Map(chunks.map(({ fileName, code }) => [fileName, code])) }
}

/** In bytes, each file gzipped separately, as a server sends them. */
export function weigh(page: BuiltPage, names: Iterable<string>): number {
  let sum = 0
  for (const name of names) sum += gzipSync(page.files.get(name) ?? '', { level: 9 }).byteLength
  return sum
}

/** USDC part of a price of 10.00, in cents. */
export const usdcParts = { credits: 0, 'credits and USDC': 400, USDC: 1000 }

export type Visit = {
  /** `first`: needed to render the page; `later`: loaded afterwards. */
  scripts: { first: string[]; later: string[] }
  redeem?: {
    prompts: number
    msToPrompt: number
    /** The part of `msToPrompt` in which the wallet, in another process like an extension, reported its account and chain. */
    msOfWallet: number
    /** Counts requests of any kind, from the click to the first prompt. */
    requestsToPrompt: number
    /** Counts requests to the service or the seller, from the page's start to the receipt. */
    serviceRequests: number
  }
}

/** Records, by the page's own clock: the click, the first signature request, and the wallet's time for the requests before it. */
const clockScript = `
  const moments = window.moments = { wallet: 0 }
  let open = 0
  let begun
  addEventListener('click', (event) => { Object.assign(moments, { click: event.timeStamp, wallet: 0 }) }, true)
  const { request } = window.ethereum
  window.ethereum.request = async (asked) => {
    if (asked.method === 'eth_signTypedData_v4') moments.prompt ??= performance.now()
    if (open++ === 0) begun = performance.now()
    try {
      return await request(asked)
    } finally {
      if (--open === 0 && moments.prompt === undefined) moments.wallet += performance.now() - begun
    }
  }
`

export async function visitPage(
  page: BuiltPage,
  options: { sandbox: RunningSandbox; browser: Browser; sellerUrl: string; pays?: keyof typeof usdcParts },
): Promise<Visit> {
  const { sandbox, browser, sellerUrl, pays } = options
  const usdcCents = pays === undefined ? 0 : usdcParts[pays]
  const { base } = sandbox.chains
  if (base === undefined) throw new Error('The sandbox started without its chain.')
  const account = privateKeyToAccount(generatePrivateKey())
  await sandbox.mintCredits({ wallet: account.address, cents: 5000 })
  if (usdcCents > 0) await sandbox.mintUsdc({ wallet: account.address, cents: usdcCents })
  const wallet = createTestWallet(account, base)
  const site = await servePage(page, {
    baseUrl: sandbox.url,
    rpcUrl: base.rpcUrl,
    merchantId: sandbox.merchantId,
    pinned: base.pinned,
    shop: sandbox.accounts.bob.address,
    purchaseId: account.address,
    usdcCents,
    sellerUrl,
  })
  const context = await browser.newContext()
  try {
    await context.exposeFunction('askTestWallet', wallet.answer)
    await context.addInitScript(`${walletScript};${clockScript}`)
    const tab = await context.newPage()
    await tab.goto(site.url)
    await tab.getByRole('button', { name: 'Connect', exact: true }).waitFor()
    const first = scriptsOf(await requestsOf(tab), site.url)
    await tab.getByRole('button', { name: 'Connect', exact: true }).click()
    await tab.getByText(account.address).waitFor()
    if (pays !== undefined) {
      await tab.locator('button:enabled', { hasText: 'Pay' }).click()
      const paid = tab.getByText('Paid. Thank you.')
      const failed = tab.getByRole('alert').filter({ hasText: /./ })
      await paid.or(failed).first().waitFor({ timeout: 30_000 })
      if (await failed.isVisible())
        throw new Error(`${page.entry} did not pay with ${pays}: ${await failed.textContent()}`)
    }
    const requests = await requestsOf(tab)
    const later = scriptsOf(requests, site.url).filter((name) => !first.includes(name))
    if (pays === undefined) return { scripts: { first, later } }
    const moments: { click: number; prompt: number; wallet: number } = await tab.evaluate('window.moments')
    return {
      scripts: { first, later },
      redeem: {
        prompts: wallet.prompts.length,
        msToPrompt: moments.prompt - moments.click,
        msOfWallet: moments.wallet,
        requestsToPrompt: requests.filter(({ at }) => at >= moments.click && at <= moments.prompt).length,
        serviceRequests: requests.filter(
          ({ url }) => url.startsWith(`${sandbox.url}/api/`) || url === sellerUrl,
        ).length,
      },
    }
  } finally {
    await context.close()
    await site.close()
  }
}

type Request = { url: string; at: number }

const requestsOf = (tab: Page): Promise<Request[]> =>
  tab.evaluate(
    "performance.getEntriesByType('resource').map(({ name, startTime }) => ({ url: name, at: startTime }))",
  )

const scriptsOf = (requests: readonly Request[], site: string): string[] => [
  ...new Set(
    requests.flatMap(({ url }) =>
      url.startsWith(site) && url.endsWith('.js') ? [url.slice(site.length)] : [],
    ),
  ),
]

type Settings = {
  baseUrl: string
  rpcUrl: string
  merchantId: string
  pinned: RedeemPins
  shop: `0x${string}`
  purchaseId: string
  usdcCents: number
  sellerUrl: string
}

declare global {
  interface Window {
    settings: Settings
  }
}

async function servePage(
  page: BuiltPage,
  settings: Settings,
): Promise<{ url: string; close: () => Promise<void> }> {
  const html = `<!doctype html><title>Shop</title><link rel="icon" href="data:,"><body>
<script>window.settings = ${JSON.stringify(settings)}</script><script type="module" src="/${page.entry}"></script>`
  const server = createServer(({ url = '' }, response) => {
    const script = page.files.get(url.slice(1))
    if (script !== undefined)
      return response.writeHead(200, { 'content-type': 'text/javascript' }).end(script)
    return response
      .writeHead(url === '/' ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' })
      .end(html)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // an object, because the server listens on TCP
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
