import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Order } from './page.ts'

/** Bundles the page and serves it on this machine, with one URL per order: `http://127.0.0.1:…/ORDER/`. */
export async function servePage(options: {
  findOrder: (id: string) => Order | undefined
  port?: number
}): Promise<{ url: string; close: () => Promise<void> }> {
  const html = await readFile(new URL('index.html', import.meta.url))
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('page.ts', import.meta.url))],
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'error',
  })
  const script = outputFiles[0]?.contents
  const server = createServer((request, response) => {
    const send = (type: string, body: string | Uint8Array) =>
      response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
    const [, id = '', file] = (request.url ?? '').split('/')
    if (id === 'page.js' && script !== undefined) return send('text/javascript', script)
    const order = options.findOrder(id)
    if (order !== undefined && file === '') return send('text/html; charset=utf-8', html)
    if (order !== undefined && file === 'order.json') return send('application/json', JSON.stringify(order))
    return response.writeHead(404, { 'content-type': 'text/plain' }).end('There is no such order.')
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo // a TCP server has an address object
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
