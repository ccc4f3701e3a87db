import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import getPort from 'get-port'
import { WebSocketServer } from 'ws'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { findRefusal } from '../../servers/findRefusal.ts'
import type { Node } from './openNode.ts'
import { accountMethods } from './rpc/accountMethods.ts'
import { chainMethods } from './rpc/chainMethods.ts'
import { type Methods, RpcAnswerError } from './rpc/params.ts'
import { serveSocket } from './rpc/serveSocket.ts'
import { transactionMethods } from './rpc/transactionMethods.ts'

/** Serves one node over HTTP and WebSocket on 127.0.0.1. */
export async function listenAsNode(
  node: Node,
  options: { port?: number | undefined } & findRefusal.Options = {},
): Promise<{ port: number; stop: () => Promise<void> }> {
  const methods = rpcMethods(node)
  const answer = (text: string) => answerRpc(methods, text)
  const sockets = new WebSocketServer({ noServer: true })
  sockets.on('connection', (socket) => serveSocket(socket, node, answer))

  const { servers, port } = await listenOnTwoPorts(options.port, () =>
    createServer((request, response) => serveHttp(request, response, { answer, allowed: options })).on(
      'upgrade',
      (request, socket, head) => {
        const { host, origin } = request.headers
        if (findRefusal({ host, origin }, options) !== undefined)
          return void socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n')
        sockets.handleUpgrade(request, socket, head, (opened) => sockets.emit('connection', opened, request))
      },
    ),
  )
  return {
    port,
    stop: async () => {
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
      await Promise.all(
        servers.map((server) => {
          server.closeAllConnections()
          return new Promise<void>((resolve) => server.close(() => resolve()))
        }),
      )
    },
  }
}

/** Listens on a port and the one after it: the requested one, or two free ports. */
async function listenOnTwoPorts(
  wanted: number | undefined,
  create: () => Server,
): Promise<{ servers: Server[]; port: number }> {
  for (let attempt = 0; ; attempt++) {
    const port = wanted ?? (await getPort())
    const servers: Server[] = []
    try {
      for (const at of [port, port + 1]) {
        const server = create()
        await new Promise<void>((resolve, reject) => {
          server.once('error', reject)
          server.listen(at, '127.0.0.1', () => resolve())
        })
        servers.push(server)
      }
      return { servers, port }
    } catch (cause) {
      for (const server of servers) server.close()
      if (wanted !== undefined || attempt === 20)
        throw new SolanaStartError(`Ports ${port} and ${port + 1} cannot both be opened.`, {
          field: 'port',
          cause,
          fix: 'Pass another `port`, or omit it to use two free ones.',
        })
    }
  }
}

/** The local Solana node could not open its ports. */
class SolanaStartError extends BaseError {
  override readonly name = 'SolanaStartError'
}

const maxBodyLength = 1_000_000

/** Answers one HTTP request. Only local pages and explicitly allowed origins may call. */
function serveHttp(
  request: IncomingMessage,
  response: ServerResponse,
  options: { answer: (text: string) => string; allowed: findRefusal.Options },
): void {
  const { host, origin } = request.headers
  const refusal = findRefusal({ host, origin }, options.allowed)
  if (refusal !== undefined) return void response.writeHead(403).end(refusal)
  const headers = {
    'content-type': 'application/json',
    ...(origin !== undefined && {
      'access-control-allow-origin': origin,
      'access-control-allow-headers': '*',
      vary: 'origin',
    }),
  }
  if (request.method === 'OPTIONS') return void response.writeHead(204, headers).end()
  if (request.method !== 'POST') return void response.writeHead(405, headers).end()
  const chunks: Buffer[] = []
  let length = 0
  request.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length > maxBodyLength) {
      response.writeHead(413, headers).end()
      request.destroy()
    } else chunks.push(chunk)
  })
  request.on('end', () =>
    response.writeHead(200, headers).end(options.answer(Buffer.concat(chunks).toString())),
  )
}

/** Answers a JSON-RPC request or batch; malformed input gets an error response. */
function answerRpc(methods: Methods, text: string): string {
  let request: unknown
  try {
    request = JSON.parse(text)
  } catch {
    return JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } })
  }
  return JSON.stringify(
    Array.isArray(request) ? request.map((one) => answerOne(methods, one)) : answerOne(methods, request),
  )
}

function answerOne(methods: Methods, request: unknown) {
  // Any JSON may arrive; each field is checked before it is used.
  const {
    id = null,
    method,
    params = [],
  } = Object(request) as { id?: unknown; method?: unknown; params?: unknown }
  const base = { jsonrpc: '2.0', id }
  try {
    const call = typeof method === 'string' && Object.hasOwn(methods, method) ? methods[method] : undefined
    if (call === undefined) throw new RpcAnswerError(-32601, 'Method not found')
    if (!Array.isArray(params)) throw new RpcAnswerError(-32602, 'Invalid params: expected an array')
    return { ...base, result: call(params) }
  } catch (error) {
    if (error instanceof RpcAnswerError)
      return { ...base, error: { code: error.code, message: error.message, data: error.data } }
    const message = error instanceof BaseError ? error.shortMessage : 'Internal error'
    return { ...base, error: { code: error instanceof BaseError ? -32602 : -32603, message } }
  }
}

function rpcMethods(node: Node): Methods {
  return { ...chainMethods(node), ...accountMethods(node), ...transactionMethods(node) }
}
