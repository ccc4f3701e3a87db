import { createServer } from 'node:http'
import { WebSocketServer } from 'ws'
import { findRefusal } from '../../servers/findRefusal.ts'
import { listenOnTwoPorts } from './listenOnTwoPorts.ts'
import type { Node } from './openNode.ts'
import { answerRpc } from './rpc/answerRpc.ts'
import { rpcMethods } from './rpc/rpcMethods.ts'
import { serveHttp } from './rpc/serveHttp.ts'
import { serveSocket } from './rpc/serveSocket.ts'

/** Answers as one node of the network, over HTTP and websocket, on 127.0.0.1. */
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
