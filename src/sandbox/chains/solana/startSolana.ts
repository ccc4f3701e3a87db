import { ed25519 } from '@noble/curves/ed25519.js'
import { formatBase58 } from '../../../redeemkit/solana/encoding.ts'
import type { Connection } from '../../../redeemkit/solana/usdcTransfer/readAccounts.ts'
import { createLedger, type Ledger } from './createLedger.ts'
import { listenAsNode } from './listenAsNode.ts'
import { openConnection } from './openConnection.ts'
import { openNode } from './openNode.ts'

/**
 * Starts a local Solana chain on 127.0.0.1. It identifies as devnet, with devnet's genesis hash and USDC mint.
 *
 * @param options.port for JSON-RPC and WebSocket. The next port also serves WebSocket, because web3.js's `Connection` expects it
 *   there. Default: two free ports
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
  type ReturnType = {
    rpcUrl: string
    wsUrl: string
    svm: Ledger['svm']
    ledger: Ledger
    /** A connection for `redeemkit/solana`, without web3.js. */
    connection: Connection
    usdcMint: string
    fundSol: (address: string, lamports: bigint) => void
    /** Creates USDC (raw units) in the owner's token account. */
    fundUsdc: (owner: string, amount: bigint) => void
    usdcOf: (owner: string) => bigint
    /** Expires every blockhash issued so far, and makes the expiry final. */
    expireBlockhash: () => void
    /** Sets the rent per byte of account data, as SIMD-0437 does. Existing accounts keep their balance. */
    setLamportsPerByte: (lamports: bigint) => void
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

/** Derives the test account of a 32-byte seed. */
export function testAccountOf(seed: Uint8Array): SolanaTestAccount {
  const publicKey = ed25519.getPublicKey(seed)
  const address = formatBase58(publicKey)
  return {
    address,
    publicKey: { toBase58: () => address },
    secretKey: Uint8Array.from([...seed, ...publicKey]),
  }
}
