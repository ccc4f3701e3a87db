import { Agent, request as httpRequest } from 'node:http'
import { request as httpsRequest, Agent as SecureAgent } from 'node:https'
import { createTransport, HttpRequestError, RpcRequestError, TimeoutError, type Transport } from 'viem'

/**
 * A JSON-RPC transport over HTTP that batches the calls of one event loop turn. If the node rejects batches, it sends
 * calls one by one from then on.
 */
export function batchingTransport(url: string): Transport {
  const ask = batchingAsk(url)
  return () =>
    createTransport(
      {
        key: 'batchingHttp',
        name: 'JSON-RPC over HTTP, in batches',
        type: 'http',
        retryCount: 1,
        retryDelay: 100,
        timeout: timeoutMs,
        // The result type depends on the method, as in viem's own transports.
        request: ask as ReturnType<typeof createTransport>['request'],
      },
      { url },
    )
}

type Call = { method: string; params?: unknown }
type Waiting = { call: Call; resolve: (value: unknown) => void; reject: (error: unknown) => void }
type RpcAnswer = { id?: unknown; result?: unknown; error?: { code: number; message: string; data?: unknown } }

const timeoutMs = 15_000
const mostAtOnce = 100

function batchingAsk(url: string): (call: Call) => Promise<unknown> {
  const post = poster(url)
  let takesBatches = true
  let waiting: Waiting[] = []

  return (call) =>
    new Promise((resolve, reject) => {
      waiting.push({ call, resolve, reject })
      if (waiting.length === 1) setImmediate(flush)
    })

  function flush(): void {
    const all = waiting
    waiting = []
    const size = takesBatches ? mostAtOnce : 1
    for (let from = 0; from < all.length; from += size) void send(all.slice(from, from + size))
  }

  async function send(some: readonly Waiting[]): Promise<void> {
    const calls = some.map(({ call: { method, params } }, id) => ({ jsonrpc: '2.0', id, method, params }))
    const body = calls.length === 1 ? calls[0] : calls
    try {
      const answer: RpcAnswer | RpcAnswer[] = await post(JSON.stringify(body))
      if (calls.length === 1 && !Array.isArray(answer)) return settle(some[0], answer)
      if (Array.isArray(answer)) {
        const byId = new Map(answer.map((one) => [one.id, one]))
        for (const [id, one] of some.entries()) settle(one, byId.get(id))
        return
      }
      takesBatches = false
      await Promise.all(some.map((one) => send([one])))
    } catch (error) {
      for (const { reject } of some) reject(error)
    }
  }

  function settle(one: Waiting | undefined, answer: RpcAnswer | undefined): void {
    if (answer?.error !== undefined)
      one?.reject(new RpcRequestError({ body: { method: one.call.method }, error: answer.error, url }))
    else if (answer === undefined || !('result' in answer))
      one?.reject(new HttpRequestError({ url, details: 'The response has neither a result nor an error.' }))
    else one?.resolve(answer.result)
  }
}

/** Posts over keep-alive connections that do not keep the process alive when idle. */
function poster(url: string): (body: string) => Promise<RpcAnswer | RpcAnswer[]> {
  const isSecure = url.startsWith('https:')
  const agent = isSecure ? new SecureAgent({ keepAlive: true }) : new Agent({ keepAlive: true })
  const request = isSecure ? httpsRequest : httpRequest
  return (body) =>
    new Promise((resolve, reject) => {
      const failed = (details: string, status?: number | undefined) =>
        reject(new HttpRequestError({ url, details, status }))
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
      const asked = request(url, { method: 'POST', agent, headers, timeout: timeoutMs }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('error', ({ message }) => failed(message))
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8')
          try {
            resolve(JSON.parse(text))
          } catch {
            failed(text.slice(0, 200), answer.statusCode)
          }
        })
      })
      asked.on('timeout', () => asked.destroy(new TimeoutError({ body: {}, url })))
      asked.on('error', (error) => (error instanceof TimeoutError ? reject(error) : failed(error.message)))
      asked.end(body)
    })
}
