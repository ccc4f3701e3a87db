import { createServer, type Server } from 'node:http'
import { ed25519 } from '@noble/curves/ed25519.js'
import getPort from 'get-port'
import { type WebSocket, WebSocketServer } from 'ws'
import { BaseError } from '../../../core/errors/baseError.ts'
import type { Clock } from '../../../core/time/clock.ts'
import { formatBase58 } from '../../../solana/encoding/formatBase58.ts'
import type { Connection } from '../../../solana/usdcTransfer/connection.ts'
import { createLedger, type Ledger } from './createLedger.ts'
import { openConnection } from './openConnection.ts'
import { RpcError, rpcMethods } from './rpcMethods.ts'

const maxBodyLength = 1_000_000

/**
 * Starts a Solana chain on 127.0.0.1 and resolves when it answers. It presents itself as devnet: devnet's genesis hash,
 * and USDC at devnet's mint. Gone when `stop()` resolves, and with this process.
 *
 * @param options.port JSON-RPC, and websocket too. The port after it serves websocket as well, since that is where a
 *   `Connection` looks for it. Default: two free ports
 * @throws {@link SolanaStartError} when the ports are taken
 */
export async function startSolana(options: startSolana.Options = {}): Promise<startSolana.ReturnType> {
  const ledger = createLedger({ now: options.now })
  const methods = rpcMethods(ledger)
  const answer = (text: string) => answerText(methods, text)
  const sockets = new WebSocketServer({ noServer: true })
  sockets.on('connection', (socket) => serveSocket(socket, ledger, answer))

  const { servers, port } = await listen(options.port, () => {
    const server = createServer((request, response) => {
      const headers = {
        'content-type': 'application/json',
        'access-control-allow-origin': '*',
        'access-control-allow-headers': '*',
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
      request.on('end', () => response.writeHead(200, headers).end(answer(Buffer.concat(chunks).toString())))
    })
    server.on('upgrade', (request, socket, head) =>
      sockets.handleUpgrade(request, socket, head, (opened) => sockets.emit('connection', opened, request)),
    )
    return server
  })

  const rpcUrl = `http://127.0.0.1:${port}`
  return {
    rpcUrl,
    wsUrl: `ws://127.0.0.1:${port}`,
    svm: ledger.svm,
    ledger,
    connection: openConnection(rpcUrl),
    usdcMint: ledger.network.usdcMint,
    fundSol: ledger.fundSol,
    fundUsdc: ledger.fundUsdc,
    usdcOf: ledger.usdcOf,
    expireBlockhash: ledger.expireBlockhash,
    createPerson: ({ sol = 0n, usdc = 0n } = {}) => {
      const seed = ed25519.utils.randomPrivateKey()
      const publicKey = ed25519.getPublicKey(seed)
      const address = formatBase58(publicKey)
      if (sol > 0n) ledger.fundSol(address, sol)
      if (usdc > 0n) ledger.fundUsdc(address, usdc)
      return {
        address,
        publicKey: { toBase58: () => address },
        secretKey: Uint8Array.from([...seed, ...publicKey]),
      }
    },
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

export declare namespace startSolana {
  type Options = { port?: number | undefined; now?: Clock | undefined }
  /** A key in memory: a signer as it is, and `Keypair.fromSecretKey(person.secretKey)` for web3.js. */
  type Person = { address: string; publicKey: { toBase58(): string }; secretKey: Uint8Array }
  type ReturnType = {
    rpcUrl: string
    wsUrl: string
    svm: Ledger['svm']
    ledger: Ledger
    /** A connection to it for `redeemkit/solana`, without web3.js. */
    connection: Connection
    usdcMint: string
    /** Lamports, out of nothing. */
    fundSol: (address: string, lamports: bigint) => void
    /** Raw units of USDC, out of nothing, to the owner's token account. */
    fundUsdc: (owner: string, amount: bigint) => void
    usdcOf: (owner: string) => bigint
    /** Makes every blockhash given out so far too old. */
    expireBlockhash: () => void
    /** A new key, with SOL (lamports) and USDC (raw units) when asked. */
    createPerson: (funds?: { sol?: bigint | undefined; usdc?: bigint | undefined }) => Person
    stop: () => Promise<void>
  }
  type ErrorType = SolanaStartError
}

/** Takes a port and the one after it. */
async function listen(
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
        throw new SolanaStartError(`The ports ${port} and ${port + 1} cannot both be opened.`, {
          field: 'port',
          cause,
          fix: 'Give another port, or none for two free ones.',
        })
    }
  }
}

function answerText(methods: ReturnType<typeof rpcMethods>, text: string): string {
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

function answerOne(methods: ReturnType<typeof rpcMethods>, request: unknown) {
  // Any JSON may arrive; each field is checked before it is used.
  const {
    id = null,
    method,
    params = [],
  } = Object(request) as { id?: unknown; method?: unknown; params?: unknown }
  const base = { jsonrpc: '2.0', id }
  try {
    const call = typeof method === 'string' && Object.hasOwn(methods, method) ? methods[method] : undefined
    if (call === undefined) throw new RpcError(-32601, 'Method not found')
    if (!Array.isArray(params)) throw new RpcError(-32602, 'Invalid params: a list is needed')
    return { ...base, result: call(params) }
  } catch (error) {
    if (error instanceof RpcError)
      return { ...base, error: { code: error.code, message: error.message, data: error.data } }
    const message = error instanceof BaseError ? error.shortMessage : 'Internal error'
    return { ...base, error: { code: error instanceof BaseError ? -32602 : -32603, message } }
  }
}

function serveSocket(socket: WebSocket, ledger: Ledger, answer: (text: string) => string): void {
  const watches = new Map<number, () => void>()
  let next = 0
  const end = () => {
    for (const stop of watches.values()) stop()
  }
  socket.on('close', end)
  socket.on('error', end)
  socket.on('message', (raw) => {
    const text = raw.toString()
    let request: { id?: unknown; method?: unknown; params?: unknown } = {}
    try {
      request = Object(JSON.parse(text))
    } catch {
      // `answer` below says what is wrong with it.
    }
    const [first] = Array.isArray(request.params) ? request.params : []
    const reply = (result: unknown) => socket.send(JSON.stringify({ jsonrpc: '2.0', id: request.id, result }))
    if (request.method === 'signatureSubscribe') {
      const subscription = next++
      reply(subscription)
      const stop = ledger.watch(String(first), ({ slot, err }) =>
        socket.send(
          JSON.stringify({
            jsonrpc: '2.0',
            method: 'signatureNotification',
            params: { subscription, result: { context: { slot }, value: { err } } },
          }),
        ),
      )
      watches.set(subscription, stop)
    } else if (request.method === 'signatureUnsubscribe') {
      watches.get(Number(first))?.()
      reply(watches.delete(Number(first)))
    } else socket.send(answer(text))
  })
}

/** The local chain could not open its ports. */
export class SolanaStartError extends BaseError {
  override readonly name = 'SolanaStartError'
}
