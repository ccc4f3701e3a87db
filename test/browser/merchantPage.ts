import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import type { FormOptions } from '../../src/redeemkit/cardForm/purchaseOptions.ts'
import { listen } from '../../src/sandbox/servers/listen.ts'

export type Reported = { type: string } & Record<string, unknown>

/** Options that can be serialized for the page. */
export type Mounted = Omit<FormOptions, 'sessionKey'> & {
  sessionKey: string
  /** The page returns these keys one after another, then repeats the last. */
  sessionKeys?: string[]
}

/** Mounts the form as `examples/card-form.ts` does. */
type ExampleOptions = {
  baseUrl: string
  sessionKey: string
  order: { id: string; checkoutJwtToken: string }
}

export type Shop = {
  reported: Reported[]
  mount: (options: Mounted) => void
  mountExample: (options: ExampleOptions) => void
  update: (options: Mounted) => void
  unmount: () => void
}

/** An empty page, on which a test mounts `mountPurchase` and records its events. */
export async function serveMerchantPage(): Promise<{ port: number; close: () => Promise<void> }> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('merchantPageScript.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    logLevel: 'error',
  })
  const code = outputFiles[0]?.text ?? ''
  return listen({
    port: 0,
    fetch: ({ url }) =>
      new URL(url).pathname === '/page.js'
        ? new Response(code, { headers: { 'content-type': 'text/javascript' } })
        : new Response(html, { headers: { 'content-type': 'text/html', 'content-security-policy': policy } }),
  })
}

/** Forbids foreign styles, and scripts other than the page's own. */
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; frame-src *; img-src data:"

const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>A shop</title><link rel="icon" href="data:,"><main><h1>A shop</h1><div id="pay"></div></main><script src="/page.js"></script></html>`

type ShopPage = { shop: Shop }

export const onPage = (page: Page) => ({
  mount: (options: Mounted) =>
    page.evaluate((given) => (globalThis as unknown as ShopPage).shop.mount(given), options),
  mountExample: (options: ExampleOptions) =>
    page.evaluate((given) => (globalThis as unknown as ShopPage).shop.mountExample(given), options),
  update: (options: Mounted) =>
    page.evaluate((given) => (globalThis as unknown as ShopPage).shop.update(given), options),
  unmount: () => page.evaluate(() => (globalThis as unknown as ShopPage).shop.unmount()),
  reported: () => page.evaluate(() => (globalThis as unknown as ShopPage).shop.reported),
})
