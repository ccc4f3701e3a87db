import { createServer, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import getPort from 'get-port'
import { Hono } from 'hono'
import { WebSocketServer } from 'ws'
import { attempt } from '../../../redeemkit/core/attempt.ts'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { findRefusal, isForwarded } from '../../servers/findRefusal.ts'
import { onlyLocal } from '../../servers/onlyLocal.ts'
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
  const app = new Hono()
  app.use(onlyLocal(options))
  app.post('*', async (context) =>
    context.body(answer(await context.req.text()), 200, { 'content-type': 'application/json' }),
  )
  app.all('*', (context) => context.body(null, 405))
  const sockets = new WebSocketServer({ noServer: true })
  sockets.on('connection', (socket) => serveSocket(socket, node, answer))

  const { servers, port } = await listenOnTwoPorts(options.port, () =>
    createServer(getRequestListener(app.fetch)).on('upgrade', (request, socket, head) => {
      const { host, origin } = request.headers
      const headers = { get: (name: string) => request.headers[name]?.toString() ?? null }
      if (findRefusal({ host, origin }, options) !== undefined || isForwarded(headers))
        return void socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n')
      sockets.handleUpgrade(request, socket, head, (opened) => sockets.emit('connection', opened, request))
    }),
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

/** Listens on a port and on the next one: the requested port, or two free ports. */
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

/** Answers a JSON-RPC request or batch; malformed input gets an error response. */
function answerRpc(methods: Methods, text: string): string {
  const request: unknown = attempt(() => JSON.parse(text))
  if (request === undefined)
    return JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } })
  return JSON.stringify(
    Array.isArray(request) ? request.map((one) => answerOne(methods, one)) : answerOne(methods, request),
  )
}

function answerOne(methods: Methods, request: unknown) {
  // `call` may be any JSON value; each field is checked before it is used.
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
