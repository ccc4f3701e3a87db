import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'

/** Serves an empty site under two origins, `127.0.0.1` and `localhost`. The page `/sandboxed` has neither. */
export async function servePages(): Promise<{ url: string; otherUrl: string; close: () => Promise<void> }> {
  const server = createServer(({ url }, response) => {
    response.setHeader('content-type', 'text/html')
    if (url === '/sandboxed') response.setHeader('content-security-policy', 'sandbox allow-scripts')
    response.end('<!doctype html><title>A page</title><h1>A page</h1>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // an object, because the server listens on TCP
  return {
    url: `http://127.0.0.1:${port}`,
    otherUrl: `http://localhost:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

export type PageResult = { result: unknown } | { error: { code: number; message: string } }

/** Uses the wallet that the page finds (EIP-6963). */
export function request(page: Page, method: string, params?: unknown): Promise<PageResult> {
  return page.evaluate(
    ([asked, given]) =>
      new Promise<PageResult>((resolve) => {
        const onWallet = (event: Event) => {
          const { info, provider } = (event as CustomEvent).detail
          if (info.name !== 'Pocket') return
          window.removeEventListener('eip6963:announceProvider', onWallet)
          provider.request({ method: asked, params: given }).then(
            (result: unknown) => resolve({ result }),
            ({ code, message }: { code: number; message: string }) => resolve({ error: { code, message } }),
          )
        }
        window.addEventListener('eip6963:announceProvider', onWallet)
        window.dispatchEvent(new Event('eip6963:requestProvider'))
      }),
    [method, params] as const,
  )
}
