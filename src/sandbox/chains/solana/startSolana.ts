import { createServer } from 'node:http'
import { ed25519 } from '@noble/curves/ed25519.js'
import { WebSocketServer } from 'ws'
import type { Clock } from '../../../core/time/clock.ts'
import type { Connection } from '../../../solana/usdcTransfer/connection.ts'
import { createLedger, type Ledger } from './createLedger.ts'
import { listenOnTwoPorts, type SolanaStartError } from './listenOnTwoPorts.ts'
import { openConnection } from './openConnection.ts'
import { personOf } from './personOf.ts'
import { answerRpc } from './rpc/answerRpc.ts'
import { rpcMethods } from './rpc/rpcMethods.ts'
import { serveHttp } from './rpc/serveHttp.ts'
import { serveSocket } from './rpc/serveSocket.ts'
import type { SolanaPerson } from './solanaPerson.ts'

/**
 * Starts a Solana chain on 127.0.0.1 and resolves when it answers. It presents itself as devnet: devnet's
 * genesis hash, and USDC at devnet's mint. Gone when `stop()` resolves, and with this process.
 *
 * @param options.port JSON-RPC, and websocket too. The port after it serves websocket as well, since that is
 *   where a
 *   `Connection` looks for it. Default: two free ports
 * @throws {@link SolanaStartError} when the ports are taken
 */
export async function startSolana(options: startSolana.Options = {}): Promise<startSolana.ReturnType> {
  const ledger = createLedger({ now: options.now })
  const methods = rpcMethods(ledger)
  const answer = (text: string) => answerRpc(methods, text)
  const sockets = new WebSocketServer({ noServer: true })
  sockets.on('connection', (socket) => serveSocket(socket, ledger, answer))

  const { servers, port } = await listenOnTwoPorts(options.port, () =>
    createServer((request, response) => serveHttp(request, response, answer)).on(
      'upgrade',
      (request, socket, head) =>
        sockets.handleUpgrade(request, socket, head, (opened) => sockets.emit('connection', opened, request)),
    ),
  )
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
      const person = personOf(ed25519.utils.randomPrivateKey())
      if (sol > 0n) ledger.fundSol(person.address, sol)
      if (usdc > 0n) ledger.fundUsdc(person.address, usdc)
      return person
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
  type Person = SolanaPerson
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
