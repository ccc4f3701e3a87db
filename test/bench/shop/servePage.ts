import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RedeemPins } from 'redeemkit'
import type { BuiltPage } from './buildPage.ts'

/** Settings that the bench passes to its pages. */
export type Settings = {
  baseUrl: string
  rpcUrl: string
  merchantId: string
  pinned: RedeemPins
  shop: `0x${string}`
  purchaseId: string
  usdcCents: number
  /** Where x402 pays. */
  sellerUrl: string
}

declare global {
  interface Window {
    settings: Settings
  }
}

/** Serves a built page on this machine, at `/` with these settings. */
export async function servePage(
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
  const { port } = server.address() as AddressInfo // it listens on TCP
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
