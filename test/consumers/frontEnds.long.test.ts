import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/index.ts'
import { buildPage } from '../bench/shop/benchPage.ts'
import { beforeAllInBrowser, openChromium } from '../browser/openChromium.ts'
import { createTestWallet, walletScript } from '../browser/testWallet.ts'
import { diagnoseFiles } from './diagnostics.ts'
import { createProject, type PackageManager, type Project, packBoth, pinned, root } from './packages.ts'

/** Uses the packed package in a React page: built by Vite, rendered on a server without a window, and hydrated in a browser. */

const packages = [
  ...[
    'viem',
    'wagmi',
    '@wagmi/core',
    '@tanstack/react-query',
    'react',
    'react-dom',
    '@types/react',
    '@types/react-dom',
  ],
  ...['vite', '@vitejs/plugin-react'],
]

/** Announces the wallet to the page, as extensions do (EIP-6963). */
const announceScript = `
  const detail = {
    info: { uuid: '350670db-19fa-4704-a166-e52e178b59d2', name: 'Announced', icon: 'data:image/svg+xml,', rdns: 'test' },
    provider: Object.assign(window.ethereum, { removeListener() {} }),
  }
  const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze(detail) }))
  addEventListener('eip6963:requestProvider', announce)
  announce()
`

let browser: Browser
beforeAllInBrowser(async () => {
  browser = await openChromium()
})
afterAll(() => browser?.close())

describe.each<PackageManager>(['npm', 'pnpm'])('a React page, installed with %s', (packageManager) => {
  let project: Project
  beforeAll(() => {
    project = createProject(packageManager)
    project.install(packBoth().redeemkit, ...packages.map(pinned))
    for (const [path, text] of Object.entries(frontEndFiles)) {
      mkdirSync(dirname(join(project.folder, path)), { recursive: true })
      writeFileSync(join(project.folder, path), text)
    }
  })
  afterAll(() => project?.remove())

  const built = (path: string) => join(project.folder, 'dist', path)
  const serve = async (html: string, folder: string) => {
    const site = createServer((request, response) => {
      const path = new URL(request.url ?? '', 'http://localhost').pathname
      const isPage = path === '/'
      response
        .writeHead(200, { 'content-type': isPage ? 'text/html; charset=utf-8' : 'text/javascript' })
        .end(isPage ? html : readFileSync(built(`${folder}${path}`)))
    })
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    const { port } = site.address() as AddressInfo // it listens on TCP, so the address is an object
    return { url: `http://127.0.0.1:${port}/`, close: () => site.close() }
  }
  const vite = (...args: string[]) => {
    const { status, output } = project.command('vite', 'build', ...args)
    expect(status, output).toBe(0)
    return output
  }

  test('type-checks in its project and its bundler', () => {
    const files = ['src/App.tsx', 'src/server.tsx']
    expect(diagnoseFiles(project.folder, files, { types: 'DOM', moduleResolution: 'bundler' })).toEqual([])
    expect(diagnoseFiles(project.folder, files, { types: 'DOM', moduleResolution: 'nodenext' })).toEqual([])
  })

  test('is built by Vite for the browser and for the server', () => {
    const warnings = vite('--outDir', 'dist/client').split('\n')
    // A file of ox, which viem depends on, names a Node module.
    expect(warnings.filter((line) => line.includes('node_modules/redeemkit/dist'))).toEqual([])
    vite('--ssr', 'src/server.tsx', '--outDir', 'dist/server')
  })

  test('renders in plain Node, without a window', () => {
    expect(render()).toContain('<h1>$10.25</h1>')
  })

  const render = () =>
    project.run(`
      if (typeof window !== 'undefined') throw new Error('There is a window.')
      const { render } = await import('./dist/server/server.js')
      process.stdout.write(render())`)

  test('is hydrated in a browser without a mismatch', async () => {
    const html = readFileSync(built('client/index.html'), 'utf8').replace('<!--app-->', render())
    const site = await serve(html, 'client')
    const page = await browser.newPage()
    try {
      const said: string[] = []
      page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`))
      page.on('pageerror', (error) => said.push(`${error}`))
      await page.goto(site.url)
      await page.locator('html[data-hydrated]').waitFor({ state: 'attached', timeout: 20_000 })
      expect(await page.locator('h1').textContent()).toBe('$10.25')
      expect(said).toEqual([])
    } finally {
      await page.close()
      site.close()
    }
  })

  test("the README's shop replaces src/App.tsx and pays at the local service", async () => {
    const sandbox = await startSandbox({ bridge: false })
    const shop = readFileSync(join(root, 'examples/redeem-in-react.tsx'), 'utf8')
    writeFileSync(
      join(project.folder, 'src/shop/App.tsx'),
      shop.replaceAll('http://127.0.0.1:4242', sandbox.url),
    )
    expect(
      diagnoseFiles(project.folder, ['src/shop/main.tsx'], { types: 'DOM', moduleResolution: 'bundler' }),
    ).toEqual([])
    vite('src/shop', '--outDir', '../../dist/shop')
    const site = await serve(readFileSync(built('shop/index.html'), 'utf8'), 'shop')
    const page = await browser.newPage()
    try {
      const wallet = createTestWallet(sandbox.accounts.alice.account, { chainId: 84532 })
      await page.exposeFunction('askTestWallet', wallet.answer)
      await page.addInitScript(`${walletScript};${announceScript}`)
      await page.goto(site.url)
      await page.getByRole('button', { name: 'Announced' }).click()
      await page.getByRole('button', { name: 'Pay $10.00' }).click({ timeout: 20_000 })
      await page.getByRole('button', { name: 'Paid' }).waitFor({ timeout: 20_000 })
      expect(wallet.prompts).toEqual(['CreditsAuthorization'])
    } finally {
      await page.close()
      site.close()
      await sandbox.stop()
    }
  })

  test('loads neither its errors nor a mock in a browser', () => {
    const scripts = readdirSync(built('client/assets')).map((file) =>
      readFileSync(built(`client/assets/${file}`), 'utf8'),
    )
    expect(scripts.join('')).not.toMatch(/createMockService|@solana|stellar-sdk/)
  })

  test('a server component can import code without hooks, and references to code with hooks', () => {
    const said = execFileSync(
      process.execPath,
      [
        ...['--conditions=react-server', '--import', './asServerComponent.mjs', '--input-type=module', '-e'],
        `import * as kit from 'redeemkit/react'
         const { pins } = kit.createRedeemkit({ baseUrl: 'https://service.example', merchantId: 'shop',
           pins: [{ chainId: 8453, creditsContract: '0x5FbDB2315678afecb367f032d93F642f64180aa3', creditSeed: 'my-shop' }] })
         console.log(pins.length, Object.entries(kit).filter(([, one]) => one.clientReference).map(([name]) => name).sort().join(' '))`,
      ],
      { cwd: project.folder, encoding: 'utf8' },
    )
    expect(said).toMatch(/^1 RedeemButton RedeemkitProvider .*useBalances/)
  })
})

/** A React page that uses the packed package as the README describes, for a Vite project that also renders it on a server. */

const page = `
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { formatUsd, userMessage } from 'redeemkit'
import { createRedeemkit, RedeemkitProvider, useBalances, useRedeem } from 'redeemkit/react'
import { base } from 'viem/chains'
import { createConfig, http, WagmiProvider } from 'wagmi'

const config = createConfig({ chains: [base], connectors: [], transports: { [base.id]: http() }, ssr: true })
const kit = createRedeemkit({
  baseUrl: 'https://service.example',
  merchantId: 'shop',
  pins: [{ chainId: 8453, creditsContract: '0x5FbDB2315678afecb367f032d93F642f64180aa3', creditSeed: 'my-shop' }],
})

function Balance() {
  const { data, fetchStatus } = useBalances()
  return <p id="balance">{data ? formatUsd({ cents: data.credits.cents }) : fetchStatus}</p>
}

function Pay({ orderId }: { orderId: string }) {
  const { step, canClick, onClick, signing, userMessage: problem } = useRedeem({
    purchaseId: orderId,
    subtotal: { cents: 1000 },
    transactionData: { type: 'token', destination: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
  })
  return (
    <>
      <p>{signing?.text}</p>
      <button type="button" disabled={!canClick} onClick={onClick}>{step}</button>
      <p role="alert">{problem}</p>
    </>
  )
}

export function App() {
  return (
    <WagmiProvider config={config}>
      <QueryClientProvider client={new QueryClient()}>
        <RedeemkitProvider kit={kit}>
          <h1>{formatUsd(10_250_000n)}</h1>
          <p>{userMessage(new Error('unknown'))}</p>
          <Balance />
          <Pay orderId="order-1" />
        </RedeemkitProvider>
      </QueryClientProvider>
    </WagmiProvider>
  )
}
`

/** File contents by path. */
const frontEndFiles: Readonly<Record<string, string>> = {
  'index.html': `<!doctype html><html lang="en"><head><title>Shop</title><link rel="icon" href="data:," /></head>
<body><div id="root"><!--app--></div><script type="module" src="/src/client.tsx"></script></body></html>`,
  'vite.config.js': `import react from '@vitejs/plugin-react'
export default { plugins: [react()], logLevel: 'warn', build: { emptyOutDir: false } }`,
  'src/App.tsx': page,
  'src/client.tsx': `import { hydrateRoot } from 'react-dom/client'
import { App } from './App.tsx'
hydrateRoot(document.getElementById('root')!, <App />, {
  onRecoverableError: (error) => console.error('hydration', error),
})
document.documentElement.dataset.hydrated = 'yes'`,
  'src/server.tsx': `import { renderToString } from 'react-dom/server'
import { App } from './App.tsx'
export const render = () => renderToString(<App />)`,
  // As in Vite's own template. The `App.tsx` next to these files is the README's.
  'src/shop/index.html': `<!doctype html><html lang="en"><head><title>Shop</title><link rel="icon" href="data:," /></head>
<body><div id="root"></div><script type="module" src="/main.tsx"></script></body></html>`,
  'src/shop/main.tsx': `import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import App from './App.tsx'
createRoot(document.getElementById('root')!).render(<StrictMode><App /></StrictMode>)`,
  /** Acts like a bundler of server components: a file with 'use client' becomes a reference, and its code is left out. */
  'asServerComponent.mjs': `import { register } from 'node:module'
const hooks = \`
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
export async function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.js')) return next(url, context)
  const text = await readFile(fileURLToPath(url), 'utf8')
  if (!/^\\\\s*(["'])use client\\\\1/.test(text)) return next(url, context)
  const names = [...text.matchAll(/export \\\\{([^}]*)\\\\}/g)].flatMap(([, list]) => list.split(',').map((one) => one.trim().split(' as ').at(-1)))
  const source = names.map((name) => 'export const ' + name + ' = { clientReference: ' + JSON.stringify(name) + ' }').join('\\\\n')
  return { format: 'module', source, shortCircuit: true }
}
\`
register('data:text/javascript,' + encodeURIComponent(hooks))`,
}

test.each(['wagmiPage', 'hooksPage', 'functionsPage', 'handWrittenPage'])(
  'the bench can build %s',
  async (page) => {
    const { entry, files } = await buildPage(`shop/${page}.tsx`)
    expect(files.get(entry)).toContain('createRoot')
  },
)
