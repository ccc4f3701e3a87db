import { ed25519 } from '@noble/curves/ed25519.js'
import type { Connection } from '../../../redeemkit/solana/usdcTransfer/readAccounts.ts'
import { createLedger, type Ledger } from './createLedger.ts'
import { listenAsNode } from './listenAsNode.ts'
import type { SolanaStartError } from './listenOnTwoPorts.ts'
import { openConnection } from './openConnection.ts'
import { openNode } from './openNode.ts'
import { personOf } from './personOf.ts'
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
  const { port: wanted, allowedOrigins: origins, ...rest } = options
  const ledger = createLedger(rest)
  const first = await listenAsNode(openNode(ledger), { port: wanted, origins })
  const nodes = [first]
  const rpcUrl = urlOf(first)
  return {
    rpcUrl,
    wsUrl: `ws://127.0.0.1:${first.port}`,
    svm: ledger.svm,
    ledger,
    connection: openConnection(rpcUrl),
    usdcMint: ledger.network.usdcMint,
    fundSol: ledger.fundSol,
    fundUsdc: ledger.fundUsdc,
    usdcOf: ledger.usdcOf,
    expireBlockhash: ledger.expireBlockhash,
    setLamportsPerByte: ledger.setLamportsPerByte,
    addNode: async ({ lagSlots }) => {
      const node = await listenAsNode(openNode(ledger, { lagSlots }), { origins })
      nodes.push(node)
      return { rpcUrl: urlOf(node) }
    },
    createPerson: ({ sol = 0n, usdc = 0n } = {}) => {
      const person = personOf(ed25519.utils.randomPrivateKey())
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
    /** Origins of pages that may ask beside those of this machine. */
    allowedOrigins?: readonly string[] | undefined
  }
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
    /** Makes every blockhash given out so far too old, and that final. */
    expireBlockhash: () => void
    /** Changes the price of a byte of an account, as SIMD-0437 does. Accounts that are there keep what they hold. */
    setLamportsPerByte: (lamports: bigint) => void
    /** Opens another node on the same chain that is behind by some slots: a pool with one that lags. */
    addNode: (options: { lagSlots: number }) => Promise<{ rpcUrl: string }>
    /** A new key, with SOL (lamports) and USDC (raw units) when asked. */
    createPerson: (funds?: { sol?: bigint | undefined; usdc?: bigint | undefined }) => Person
    stop: () => Promise<void>
  }
  type ErrorType = SolanaStartError
}
