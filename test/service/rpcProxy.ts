import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type Fate = 'pass' | 'delay' | 'cut' | 'lost' | 'refuse' | 429 | 500 | { result: object }

export type RpcProxy = {
  url: string
  /** Called before each request is forwarded. Default: `pass`. */
  fate: (body: string) => Fate | Promise<Fate>
  close: () => Promise<void>
}

/**
 * The proxy can delay requests, drop them before or after execution, return 429, 500 or a given result, and reject state overrides of
 * code.
 */
export async function startRpcProxy(nodeUrl: string): Promise<RpcProxy> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer) // uncompressed, so the chunks are buffers
    const body = Buffer.concat(chunks).toString()
    const fate = await proxy.fate(body)
    if (fate === 'cut') return void request.socket.destroy()
    if (typeof fate === 'number')
      return void response
        .writeHead(fate, { 'content-type': 'text/plain', 'retry-after': '1' })
        .end('Not now.')
    if (typeof fate === 'object')
      return void response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body).id, ...fate }))
    if (fate === 'delay') await new Promise((resolve) => setTimeout(resolve, 150))
    const answer = await fetch(nodeUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    const text = await answer.text()
    if (fate === 'lost') return void request.socket.destroy()
    response
      .writeHead(answer.status, { 'content-type': 'application/json' })
      .end(fate === 'refuse' ? refusing(body, text) : text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const proxy: RpcProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // an object, because the server listens on TCP
    fate: () => 'pass',
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return proxy
}

type Call = { id: number; params?: unknown[] }

function refusing(body: string, text: string): string {
  const calls = [JSON.parse(body)].flat() as Call[] // JSON-RPC
  const answers = [JSON.parse(text)].flat() as { id: number }[] // JSON-RPC
  const refused = new Set(calls.filter(({ params = [] }) => params.length > 2).map(({ id }) => id))
  const error = { code: -32602, message: 'too many arguments, want at most 2' }
  const all = answers.map((answer) =>
    refused.has(answer.id) ? { jsonrpc: '2.0', id: answer.id, error } : answer,
  )
  return JSON.stringify(body.startsWith('[') ? all : all[0])
}
