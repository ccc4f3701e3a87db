import { createServer, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { ed25519 } from '@noble/curves/ed25519.js'
import getPort from 'get-port'
import { Hono } from 'hono'
import { WebSocketServer } from 'ws'
import { attempt } from '../../../redeemkit/core/attempt.ts'
import { BaseError } from '../../../redeemkit/core/errors/baseError.ts'
import { formatBase58 } from '../../../redeemkit/solana/encoding.ts'
import type { Connection } from '../../../redeemkit/solana/usdcTransfer/prepareUsdcTransfer.ts'
import { findRefusal, isForwarded, onlyLocal } from '../../servers/findRefusal.ts'
import { accountMethods } from './accountMethods.ts'
import { chainMethods } from './chainMethods.ts'
import { createLedger, type Ledger } from './createLedger.ts'
import { openConnection } from './openConnection.ts'
import { type Node, openNode } from './openNode.ts'
import { type Methods, RpcAnswerError } from './params.ts'
import { serveSocket } from './serveSocket.ts'
import { transactionMethods } from './transactionMethods.ts'

/**
 * Starts a local Solana chain that identifies as devnet, with devnet's genesis hash and USDC mint. The port after `port` also serves
 * WebSocket, as web3.js expects.
 */
export async function startSolana(options: startSolana.Options = {}): Promise<startSolana.ReturnType> {
  const { port: wanted, allowedOrigins: origins, ...rest } = options
  const ledger = createLedger(rest)
  const first = await listenAsNode(openNode(ledger), { port: wanted, origins })
  const nodes = [first]
  const rpcUrl = urlOf(first)
  return {
    rpcUrl,
    wsUrl: `ws://127.0.0.1:${first.port}`,
    ...ledger,
    ledger,
    connection: openConnection(rpcUrl),
    usdcMint: ledger.network.usdcMint,
    addNode: async ({ lagSlots }) => {
      const node = await listenAsNode(openNode(ledger, { lagSlots }), { origins })
      nodes.push(node)
      return { rpcUrl: urlOf(node) }
    },
    createTestAccount: ({ sol = 0n, usdc = 0n } = {}) => {
      const person = testAccountOf(ed25519.utils.randomSecretKey())
      if (sol > 0n) ledger.fundSol(person.address, sol)
      if (usdc > 0n) ledger.fundUsdc(person.address, usdc)
      return person
    },
    stop: async () => {
      await Promise.all(nodes.map((node) => node.stop()))
    },
  }
}

function urlOf({ port }: { port: number }): string {
  return `http://127.0.0.1:${port}`
}

export declare namespace startSolana {
  type Options = createLedger.Options & {
    port?: number | undefined
    /** Origins that may call in addition to local pages. */
    allowedOrigins?: readonly string[] | undefined
  }
  type TestAccount = SolanaTestAccount
  type ReturnType = Ledger & {
    rpcUrl: string
    wsUrl: string
    ledger: Ledger
    connection: Connection
    usdcMint: string
    /** Adds a node that lags by some slots, to simulate a pool of nodes. */
    addNode: (options: { lagSlots: number }) => Promise<{ rpcUrl: string }>
    /** Creates a test account with SOL (lamports) and USDC (raw units). */
    createTestAccount: (funds?: { sol?: bigint | undefined; usdc?: bigint | undefined }) => TestAccount
    stop: () => Promise<void>
  }
}

/** A test account: a signer for redeemkit, and `Keypair.fromSecretKey(account.secretKey)` for web3.js. */
export type SolanaTestAccount = {
  address: string
  publicKey: { toBase58(): string }
  secretKey: Uint8Array
}

export function testAccountOf(seed: Uint8Array): SolanaTestAccount {
  const publicKey = ed25519.getPublicKey(seed)
  const address = formatBase58(publicKey)
  return {
    address,
    publicKey: { toBase58: () => address },
    secretKey: Uint8Array.from([...seed, ...publicKey]),
  }
}

async function listenAsNode(
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

/** The requested port and the next one, or two free ports. */
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

class SolanaStartError extends BaseError {
  override readonly name = 'SolanaStartError'
}

/** Malformed input gets an error response. */
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
